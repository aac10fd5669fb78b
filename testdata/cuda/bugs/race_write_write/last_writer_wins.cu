// Every thread that finds a match stores its own index: which one stays is chance.
#include <cstdio>

__global__ void find(const int* in, int key, int* out) {
  __shared__ int position;
  if (threadIdx.x == 0) position = -1;
  __syncthreads();
  if (in[threadIdx.x] == key) position = threadIdx.x;  // finds: shared_race
  __syncthreads();
  if (threadIdx.x == 0) *out = position;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  find<<<1, 64>>>(in, 0, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
