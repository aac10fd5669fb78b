// cooperative_groups: grid.sync under cudaLaunchCooperativeKernel; every block sees what all others wrote.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void diffuse(int* now, int* next, int rounds) {
  cg::grid_group grid = cg::this_grid();
  int n = static_cast<int>(grid.size()), i = static_cast<int>(grid.thread_rank());
  for (int r = 0; r < rounds; ++r) {
    next[i] = now[(i + 1) % n] + now[(i + n - 1) % n];
    grid.sync();
    int* other = now;
    now = next;
    next = other;
  }
}

int main() {
  const int n = 8 * 64;
  static int got[n], a[n], b[n];
  for (int i = 0; i < n; ++i) a[i] = i % 11;
  int* now;
  cudaMalloc(&now, sizeof(got));
  int* next;
  cudaMalloc(&next, sizeof(got));
  cudaMemcpy(now, a, sizeof(a), cudaMemcpyHostToDevice);
  int rounds = 6;
  void* arguments[] = {&now, &next, &rounds};
  if (cudaError_t error = cudaLaunchCooperativeKernel(reinterpret_cast<void*>(diffuse), dim3(8), dim3(64),
                                                      arguments, 0, nullptr))
    return std::printf("FAIL launch: %s\n", cudaGetErrorString(error)), 1;
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, now, sizeof(got), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rounds; ++r) {
    for (int i = 0; i < n; ++i) b[i] = a[(i + 1) % n] + a[(i + n - 1) % n];
    for (int i = 0; i < n; ++i) a[i] = b[i];
  }
  for (int i = 0; i < n; ++i)
    if (got[i] != a[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], a[i]), 1;
  std::puts("PASS");
}
