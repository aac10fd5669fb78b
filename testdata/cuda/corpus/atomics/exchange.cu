// atomicExch on int, float and 64 bits: values are handed on, none is lost or doubled.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void hand_on(int* cell, int* taken, float* real, unsigned long long* wide,
                        unsigned long long* wide_taken) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&taken[atomicExch(cell, i + 1)], 1);
  atomicAdd(&wide_taken[atomicExch(wide, (i + 1ull) << 32) >> 32], 1ull);
  if (i == 0) taken[4001] = static_cast<int>(atomicExch(real, 2.5f) * 4);
}

int main() {
  static int taken[4002];
  static unsigned long long wide_taken[4001];
  float real = 1.75f;
  int* cells;
  cudaMalloc(&cells, sizeof(taken) + 8);
  unsigned long long* wide;
  cudaMalloc(&wide, sizeof(wide_taken) + 8);
  float* device_real;
  cudaMalloc(&device_real, 4);
  cudaMemset(cells, 0, sizeof(taken) + 8);
  cudaMemset(wide, 0, sizeof(wide_taken) + 8);
  cudaMemcpy(device_real, &real, 4, cudaMemcpyHostToDevice);
  hand_on<<<40, 100>>>(cells, cells + 2, device_real, wide, wide + 1);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  int last = -1;
  unsigned long long wide_last = 0;
  cudaMemcpy(&last, cells, sizeof(last), cudaMemcpyDeviceToHost);
  cudaMemcpy(&wide_last, wide, sizeof(wide_last), cudaMemcpyDeviceToHost);
  cudaMemcpy(taken, (cells + 2), sizeof(taken), cudaMemcpyDeviceToHost);
  cudaMemcpy(wide_taken, (wide + 1), sizeof(wide_taken), cudaMemcpyDeviceToHost);
  cudaMemcpy(&real, device_real, sizeof(real), cudaMemcpyDeviceToHost);
  for (int i = 0; i <= 4000; ++i) {
    if (taken[i] != (i == last ? 0 : 1))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, taken[i], (i == last ? 0 : 1)), 1;
    if (wide_taken[i] != (static_cast<unsigned>(i) == wide_last >> 32 ? 0ull : 1ull))
      return std::printf("FAIL [%d] got %llu, wanted %llu\n", i, wide_taken[i],
                         (static_cast<unsigned>(i) == wide_last >> 32 ? 0ull : 1ull)),
             1;
  }
  if (taken[4001] != 7 || real != 2.5f)
    return std::printf("FAIL float: took %d, left %g\n", taken[4001], real), 1;
  std::puts("PASS");
}
