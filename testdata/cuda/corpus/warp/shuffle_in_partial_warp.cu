// Shuffles in a last warp of 12 threads with exactly those lanes in the mask.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum_all(int* out) {
  int lane = threadIdx.x % 32, first = threadIdx.x - lane;
  int lanes = min(32, static_cast<int>(blockDim.x) - first);
  unsigned mask = lanes == 32 ? 0xffffffffu : (1u << lanes) - 1;
  int value = threadIdx.x;
  for (int offset = 1; offset < 32; offset *= 2) {
    int other = __shfl_down_sync(mask, value, offset);
    if (lane + offset < lanes) value += other;
  }
  if (lane == 0) out[threadIdx.x / 32] = value;
}

int main() {
  int got[3] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  sum_all<<<1, 76>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  int want[3] = {31 * 16, 31 * 16 + 32 * 32, (64 + 75) * 6};
  for (int i = 0; i < 3; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
