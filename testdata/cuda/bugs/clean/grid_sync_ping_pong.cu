// Two buffers in turn with a barrier of the grid between the steps.
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void smooth(float* a, float* b, int n, int steps) {
  const cg::grid_group grid = cg::this_grid();
  for (int step = 0; step < steps; ++step) {
    for (int i = grid.thread_rank(); i < n; i += grid.size()) {
      const float left = a[i == 0 ? n - 1 : i - 1], right = a[i == n - 1 ? 0 : i + 1];
      b[i] = 0.25f * left + 0.5f * a[i] + 0.25f * right;
    }
    grid.sync();
    float* swap = a;
    a = b;
    b = swap;
  }
}

int main() {
  int n = 256, steps = 4;
  float host[256] = {}, *a, *b, sum = 0;
  host[7] = 64;
  cudaMalloc(&a, sizeof(host));
  cudaMalloc(&b, sizeof(host));
  cudaMemcpy(a, host, sizeof(host), cudaMemcpyHostToDevice);
  void* arguments[] = {&a, &b, &n, &steps};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(smooth), dim3(4), dim3(32), arguments, 0, nullptr);
  cudaMemcpy(host, a, sizeof(host), cudaMemcpyDeviceToHost);
  for (float value : host) sum += value;
  printf("%g\n", sum);
  return sum != 64.0f;
}
