// A cooperative launch: every block writes, all blocks meet, every block reads what another wrote.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void exchange(int* data, int* out) {
  const cooperative_groups::grid_group grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  data[i] = i;
  grid.sync();
  out[i] = data[(i + 40) % n];
  grid.sync();
  data[(i + 1) % n] = -i;
}

int main() {
  int *data, *out, result[128];
  cudaMalloc(&data, sizeof(result));
  cudaMalloc(&out, sizeof(result));
  void* arguments[] = {&data, &out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(exchange), dim3(4), dim3(32), arguments, 0, nullptr);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[127]);
  return result[0] != 40 || result[127] != 39;
}
