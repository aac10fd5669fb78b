// __shfl_xor_sync with every mask from 0 to 31, and a butterfly sum that leaves the total in every lane.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void butterfly(int* out, int* totals) {
  int lane = threadIdx.x;
  for (int mask = 0; mask < 32; ++mask)
    out[mask * 32 + lane] = __shfl_xor_sync(0xffffffffu, lane + 100, mask);
  int sum = lane * lane;
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  totals[lane] = sum;
}

int main() {
  static int got[1024];
  int sums[32] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  int* totals;
  cudaMalloc(&totals, sizeof(sums));
  butterfly<<<1, 32>>>(out, totals);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(sums, totals, sizeof(sums), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 1024; ++i)
    if (got[i] != (i % 32 ^ i / 32) + 100)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (i % 32 ^ i / 32) + 100), 1;
  for (int i = 0; i < 32; ++i)
    if (sums[i] != 31 * 32 * 63 / 6)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, sums[i], 31 * 32 * 63 / 6), 1;
  std::puts("PASS");
}
