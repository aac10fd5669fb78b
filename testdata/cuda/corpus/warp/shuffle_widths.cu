// All four shuffles with widths 2, 4, 8, 16 and 32: lanes exchange only inside their segment.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void segments(int width, int* out) {
  int lane = threadIdx.x, value = lane * lane;
  out[lane] = __shfl_sync(0xffffffffu, value, 3, width);
  out[32 + lane] = __shfl_up_sync(0xffffffffu, value, 1, width);
  out[64 + lane] = __shfl_down_sync(0xffffffffu, value, 3, width);
  out[96 + lane] = __shfl_xor_sync(0xffffffffu, value, 1, width);
}

int main() {
  int got[128] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  for (int width = 2; width <= 32; width *= 2) {
    segments<<<1, 32>>>(width, out);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; ++i) {
      int lane = i % 32, in = lane % width, base = lane - in;
      int from[4] = {base + 3 % width, in >= 1 ? lane - 1 : lane, in + 3 < width ? lane + 3 : lane, lane ^ 1};
      int want = from[i / 32] * from[i / 32];
      if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
    }
  }
  std::puts("PASS");
}
