// cooperative_groups: inclusive_scan and exclusive_scan of tiles, default sum and a chosen operation.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void scans(int* out) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  int t = threadIdx.x, value = t * 17 % 13 - 4;
  out[t] = cg::inclusive_scan(tile, value);
  out[64 + t] = cg::exclusive_scan(tile, value);
  out[128 + t] = cg::inclusive_scan(tile, value, cg::greater<int>());
}

int main() {
  int got[192] = {}, sum = 0, high = 0;
  int* out;
  cudaMalloc(&out, sizeof(got));
  scans<<<1, 64>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) {
    if (t % 32 == 0) sum = 0, high = -100;
    int value = t * 17 % 13 - 4;
    if (got[64 + t] != sum) return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[64 + t], sum), 1;
    sum += value;
    high = value > high ? value : high;
    if (got[t] != sum) return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t], sum), 1;
    if (got[128 + t] != high) return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[128 + t], high), 1;
  }
  std::puts("PASS");
}
