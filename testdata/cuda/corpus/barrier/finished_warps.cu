// __syncthreads after whole warps have returned: threads that have ended are not waited for.
// check: skip allowed since compute capability 7.0, yet most often a mistake and reported as one
#include <cuda_runtime.h>

#include <cstdio>

__global__ void two_warps_stay(int* out) {
  __shared__ int tile[64];
  if (threadIdx.x >= 64) return;
  tile[threadIdx.x] = threadIdx.x * 5;
  __syncthreads();
  out[threadIdx.x] = tile[63 - threadIdx.x];
}

int main() {
  int got[64] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  two_warps_stay<<<1, 256>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; ++i)
    if (got[i] != (63 - i) * 5)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (63 - i) * 5), 1;
  std::puts("PASS");
}
