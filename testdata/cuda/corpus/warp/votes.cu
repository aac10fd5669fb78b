// __all_sync, __any_sync, __ballot_sync, over full warps and under a mask.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void vote(unsigned* out) {
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  unsigned even = __ballot_sync(0xffffffffu, lane % 2 == 0);
  unsigned below = __ballot_sync(0xffffffffu, lane < warp * 10);
  int all = __all_sync(0xffffffffu, lane < 32 - warp);
  int any = __any_sync(0xffffffffu, lane > 30 + warp);
  unsigned low = 0;
  if (lane < 8) low = __ballot_sync(0xffu, lane % 3 == 0) + 1000 * __all_sync(0xffu, lane < 8);
  if (lane == 0) {
    unsigned* mine = out + warp * 4;
    mine[0] = even;
    mine[1] = below;
    mine[2] = (all != 0) + 2 * (any != 0);
    mine[3] = low;
  }
}

int main() {
  unsigned got[12] = {};
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  vote<<<1, 96>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  unsigned low = 0x49 + 1000;
  unsigned want[12] = {0x55555555u, 0, 3, low, 0x55555555u, 0x3ff, 0, low, 0x55555555u, 0xfffff, 0, low};
  for (int i = 0; i < 12; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
