// Warp-aggregated atomics: the leader of the active lanes adds once, and shares the old value by shuffle.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int add_one_for_each(int* counter) {
  unsigned active = __activemask();
  int leader = __ffs(active) - 1, lane = threadIdx.x % 32, old = 0;
  if (lane == leader) old = atomicAdd(counter, __popc(active));
  old = __shfl_sync(active, old, leader);
  return old + __popc(active & ((1u << lane) - 1));
}

__global__ void keep(int* counter, int* kept) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 7 < 3) kept[add_one_for_each(counter)] = i;
}

int main() {
  static int got[4480];
  static bool seen[4480];
  int count = -1;
  int* counter;
  cudaMalloc(&counter, sizeof(int));
  int* kept;
  cudaMalloc(&kept, sizeof(got));
  cudaMemset(counter, 0, sizeof(int));
  keep<<<35, 128>>>(counter, kept);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&count, counter, sizeof(count), cudaMemcpyDeviceToHost);
  if (count != 1920) return std::printf("FAIL count %d, wanted 1920\n", count), 1;
  cudaMemcpy(got, kept, count * sizeof(int), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) {
    if (got[i] < 0 || got[i] >= 4480 || got[i] % 7 >= 3 || seen[got[i]])
      return std::printf("FAIL [%d] holds %d\n", i, got[i]), 1;
    seen[got[i]] = true;
  }
  std::puts("PASS");
}
