// cooperative_groups: coalesced_threads in a branch; the answer does not depend on how the warp was split.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void count(int* total, int* places) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 5 == 2 || i % 5 == 4) {
    cg::coalesced_group active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(total, static_cast<int>(active.size()));
    atomicAdd(&places[active.shfl(base, 0) + active.thread_rank()], i);
  }
}

int main() {
  static int got[1000];
  int total = 0;
  int* device_total;
  cudaMalloc(&device_total, sizeof(int));
  int* places;
  cudaMalloc(&places, sizeof(got));
  cudaMemset(device_total, 0, sizeof(int));
  cudaMemset(places, 0, sizeof(got));
  count<<<10, 100>>>(device_total, places);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&total, device_total, sizeof(total), cudaMemcpyDeviceToHost);
  cudaMemcpy(got, places, sizeof(got), cudaMemcpyDeviceToHost);
  if (total != 400) return std::printf("FAIL %d threads, wanted 400\n", total), 1;
  static bool seen[1000];
  for (int p = 0; p < 400; ++p) {
    int i = got[p];
    if (i < 0 || i >= 1000 || seen[i] || (i % 5 != 2 && i % 5 != 4))
      return std::printf("FAIL place %d holds %d\n", p, i), 1;
    seen[i] = true;
  }
  std::puts("PASS");
}
