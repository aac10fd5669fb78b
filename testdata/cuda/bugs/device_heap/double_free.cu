// Every thread frees the block's memory; one of them should.
#include <cstdio>

__global__ void shared_scratch(int* out) {
  __shared__ int* memory;
  if (threadIdx.x == 0) memory = static_cast<int*>(malloc(64 * sizeof(int)));
  __syncthreads();
  memory[threadIdx.x] = threadIdx.x;
  out[threadIdx.x] = memory[threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 2) free(memory);  // finds: invalid_free
}

int main() {
  int* out;
  cudaMalloc(&out, 64 * sizeof(int));
  shared_scratch<<<1, 64>>>(out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
