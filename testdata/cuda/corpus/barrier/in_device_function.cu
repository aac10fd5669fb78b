// __syncthreads inside a function that is not inlined, called from two places.
#include <cuda_runtime.h>

#include <cstdio>

__device__ __noinline__ void exchange(int* tile, int partner) {
  int value = tile[partner];
  __syncthreads();
  tile[threadIdx.x] = value;
  __syncthreads();
}

__global__ void shuffle(int* out) {
  __shared__ int tile[80];
  tile[threadIdx.x] = threadIdx.x * 11;
  __syncthreads();
  exchange(tile, 79 - threadIdx.x);
  exchange(tile, (threadIdx.x + 3) % 80);
  out[threadIdx.x] = tile[threadIdx.x];
}

int main() {
  int got[80] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  shuffle<<<1, 80>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 80; ++i)
    if (got[i] != (79 - (i + 3) % 80) * 11)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (79 - (i + 3) % 80) * 11), 1;
  std::puts("PASS");
}
