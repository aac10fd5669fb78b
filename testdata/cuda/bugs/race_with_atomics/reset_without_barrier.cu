// Thread 0 resets the counter between two rounds; the next round's additions do not wait for it.
#include <cstdio>

__global__ void rounds(const int* in, int* out) {
  __shared__ int counter;
  if (threadIdx.x == 0) counter = 0;
  __syncthreads();
  atomicAdd(&counter, in[threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = counter;
    counter = 0;  // finds: shared_race
  }
  atomicAdd(&counter, in[threadIdx.x]);  // or: shared_race
  __syncthreads();
  if (threadIdx.x == 0) out[1] = counter;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  rounds<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
