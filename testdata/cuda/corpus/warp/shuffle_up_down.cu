// __shfl_up_sync and __shfl_down_sync: lanes without a source keep their own value.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void shift(int* out) {
  int lane = threadIdx.x;
  for (int delta = 0; delta < 32; ++delta) {
    out[delta * 64 + lane] = __shfl_up_sync(0xffffffffu, lane * 3, delta);
    out[delta * 64 + 32 + lane] = __shfl_down_sync(0xffffffffu, lane * 3, delta);
  }
}

int main() {
  static int got[2048];
  int* out;
  cudaMalloc(&out, sizeof(got));
  shift<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 2048; ++i) {
    int delta = i / 64, lane = i % 32;
    int up = lane >= delta ? lane - delta : lane, down = lane + delta < 32 ? lane + delta : lane;
    if (got[i] != 3 * (i % 64 < 32 ? up : down))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 3 * (i % 64 < 32 ? up : down)), 1;
  }
  std::puts("PASS");
}
