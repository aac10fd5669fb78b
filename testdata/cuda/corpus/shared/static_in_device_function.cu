// Static shared memory declared inside a device function that two kernels call.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int rotate(int value, int by) {
  __shared__ int ring[96];
  __syncthreads();
  ring[threadIdx.x] = value;
  __syncthreads();
  return ring[(threadIdx.x + by) % 96];
}

__global__ void once(int* out) { out[threadIdx.x] = rotate(threadIdx.x * 2, 5); }

__global__ void thrice(int* out) {
  int value = threadIdx.x;
  for (int i = 1; i <= 3; ++i) value = rotate(value, i) + 1;
  out[threadIdx.x] = value;
}

int main() {
  int got[96] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  once<<<1, 96>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; ++i)
    if (got[i] != (i + 5) % 96 * 2)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (i + 5) % 96 * 2), 1;
  thrice<<<1, 96>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; ++i)
    if (got[i] != (i + 6) % 96 + 3)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (i + 6) % 96 + 3), 1;
  std::puts("PASS");
}
