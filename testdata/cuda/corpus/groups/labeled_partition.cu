// cooperative_groups: labeled_partition and binary_partition of a tile by a value of each thread.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void partition(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x;
  auto labeled = cg::labeled_partition(tile, t % 5);
  out[t] = labeled.size() * 1000 + labeled.thread_rank();
  out[32 + t] = cg::reduce(labeled, t, cg::plus<int>());
  auto binary = cg::binary_partition(tile, t < 11);
  out[64 + t] = binary.size() * 1000 + binary.thread_rank();
  out[96 + t] = binary.shfl(t, 2);
}

int main() {
  int got[128] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  partition<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) {
    int size = 0, sum = 0;
    for (int s = t % 5; s < 32; s += 5) ++size, sum += s;
    if (got[t] != size * 1000 + t / 5)
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t], size * 1000 + t / 5), 1;
    if (got[32 + t] != sum) return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[32 + t], sum), 1;
    if (got[64 + t] != (t < 11 ? 11000 + t : 21000 + t - 11))
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[64 + t],
                         (t < 11 ? 11000 + t : 21000 + t - 11)),
             1;
    if (got[96 + t] != (t < 11 ? 2 : 13))
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[96 + t], (t < 11 ? 2 : 13)), 1;
  }
  std::puts("PASS");
}
