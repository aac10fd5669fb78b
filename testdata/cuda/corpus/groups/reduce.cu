// cooperative_groups: reduce of tiles with plus, less, greater, the bit operations and an own functor.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

struct MultiplyModulo {
  __device__ unsigned operator()(unsigned a, unsigned b) const { return a * b % 1009; }
};

__global__ void reductions(int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int t = threadIdx.x, value = t * 29 % 41 - 20;
  unsigned bits = 1u << t % 16;
  int* mine = out + t * 7;
  mine[0] = cg::reduce(tile, value, cg::plus<int>());
  mine[1] = cg::reduce(tile, value, cg::less<int>());
  mine[2] = cg::reduce(tile, value, cg::greater<int>());
  mine[3] = static_cast<int>(cg::reduce(tile, bits, cg::bit_or<unsigned>()));
  mine[4] = static_cast<int>(cg::reduce(tile, ~bits, cg::bit_and<unsigned>()));
  mine[5] = static_cast<int>(cg::reduce(tile, t + 1u, MultiplyModulo()));
  mine[6] = static_cast<int>(cg::reduce(tile, t * 0.5, cg::plus<double>()) * 2);
}

int main() {
  int got[48 * 7] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  reductions<<<1, 48>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 48; ++t) {
    int sum = 0, low = 99, high = -99, product = 1, ranks = 0;
    for (int s = t / 16 * 16; s < t / 16 * 16 + 16; ++s) {
      int value = s * 29 % 41 - 20;
      sum += value;
      low = value < low ? value : low;
      high = value > high ? value : high;
      product = product * (s + 1) % 1009;
      ranks += s;
    }
    int want[7] = {sum, low, high, 0xffff, int(0xffff0000u), product, ranks};
    for (int i = 0; i < 7; ++i)
      if (got[t * 7 + i] != want[i])
        return std::printf("FAIL [%d] got %d, wanted %d\n", t * 7 + i, got[t * 7 + i], want[i]), 1;
  }
  std::puts("PASS");
}
