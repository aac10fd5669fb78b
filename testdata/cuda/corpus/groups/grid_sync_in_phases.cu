// cooperative_groups: a reduction over the whole grid in one launch, with block ranks and a broadcast.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void normalise(int* values, int count, int* partial) {
  cg::grid_group grid = cg::this_grid();
  cg::thread_block block = cg::this_thread_block();
  __shared__ int sum;
  if (block.thread_rank() == 0) sum = 0;
  block.sync();
  for (int i = grid.thread_rank(); i < count; i += grid.size()) atomicAdd(&sum, values[i]);
  block.sync();
  if (block.thread_rank() == 0) partial[blockIdx.x] = sum;
  grid.sync();
  int total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) total += partial[b];
  for (int i = grid.thread_rank(); i < count; i += grid.size()) values[i] = values[i] * count - total;
}

int main() {
  int count = 1000, values[1000], got[1000] = {}, total = 0;
  for (int i = 0; i < count; ++i) total += values[i] = i * 7 % 31;
  int* data;
  cudaMalloc(&data, sizeof(values));
  int* partial;
  cudaMalloc(&partial, 5 * sizeof(int));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  void* arguments[] = {&data, &count, &partial};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(normalise), dim3(5), dim3(96), arguments, 0, nullptr);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i)
    if (got[i] != values[i] * count - total)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], values[i] * count - total), 1;
  std::puts("PASS");
}
