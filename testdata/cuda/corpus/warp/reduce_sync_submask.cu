// __reduce_add_sync and __reduce_max_sync in branches, each branch with its own lanes.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reduce(unsigned* out) {
  unsigned lane = threadIdx.x, result;
  if (lane < 5)
    result = __reduce_add_sync(0x1fu, lane + 1);
  else if (lane % 2)
    result = __reduce_max_sync(0xaaaaaaa0u, lane * 3);
  else
    result = __reduce_add_sync(0x55555540u, 1u);
  out[lane] = result;
}

int main() {
  unsigned got[32] = {};
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  reduce<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    unsigned want = i < 5 ? 15 : i % 2 ? 93 : 13;
    if (got[i] != want) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
