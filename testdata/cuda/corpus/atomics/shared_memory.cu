// Atomics of several kinds on shared memory, with every block using its own copy.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void stir(int* out) {
  __shared__ int sum, low, high, bits;
  __shared__ float real;
  __shared__ unsigned long long wide;
  if (threadIdx.x == 0) {
    sum = bits = high = 0;
    low = 1 << 30;
    real = 0;
    wide = 0;
  }
  __syncthreads();
  int value = threadIdx.x * 13 % 127 + blockIdx.x;
  atomicAdd(&sum, value);
  atomicMin(&low, value);
  atomicMax(&high, value);
  atomicOr(&bits, 1 << threadIdx.x % 31);
  atomicAdd(&real, 0.125f);
  atomicAdd(&wide, 1ull << 33);
  __syncthreads();
  int results[6] = {sum, low, high, bits, static_cast<int>(real * 8), static_cast<int>(wide >> 33)};
  if (threadIdx.x < 6) out[blockIdx.x * 6 + threadIdx.x] = results[threadIdx.x];
}

int main() {
  int got[60] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  stir<<<10, 200>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int b = 0; b < 10; ++b) {
    int sum = 0;
    for (int t = 0; t < 200; ++t) sum += t * 13 % 127 + b;
    int want[6] = {sum, b, 126 + b, 0x7fffffff, 200, 200};
    for (int i = 0; i < 6; ++i)
      if (got[b * 6 + i] != want[i])
        return std::printf("FAIL [%d] got %d, wanted %d\n", b * 6 + i, got[b * 6 + i], want[i]), 1;
  }
  std::puts("PASS");
}
