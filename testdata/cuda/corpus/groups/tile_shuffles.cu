// cooperative_groups: shuffles inside static tiles of 4, 8, 16 and 32 threads.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

template <int kSize>
__device__ int tile_sum(int value) {
  auto tile = cg::tiled_partition<kSize>(cg::this_thread_block());
  for (int offset = kSize / 2; offset > 0; offset /= 2) value += tile.shfl_down(value, offset);
  int last = tile.shfl(static_cast<int>(tile.thread_rank()), kSize - 1);
  int across = tile.shfl_xor(static_cast<int>(tile.thread_rank()), 1);
  int before = tile.shfl_up(static_cast<int>(tile.thread_rank()), 1);
  return tile.shfl(value, 0) * 1000000 + last * 10000 + across * 100 + before;
}

__global__ void sums(int* out) {
  int t = threadIdx.x;
  out[t] = tile_sum<4>(t);
  out[64 + t] = tile_sum<8>(t);
  out[128 + t] = tile_sum<16>(t);
  out[192 + t] = tile_sum<32>(t);
}

int main() {
  int got[256] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  sums<<<1, 64>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) {
    int size = 4 << i / 64, t = i % 64, rank = t % size, first = t - rank;
    int sum = size * first + size * (size - 1) / 2;
    int want = sum * 1000000 + (size - 1) * 10000 + (rank ^ 1) * 100 + (rank ? rank - 1 : 0);
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
