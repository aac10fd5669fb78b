// __activemask in a branch: it holds the calling lane and no lane that took the other branch.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void masks(unsigned* out) {
  int lane = threadIdx.x;
  unsigned mask;
  if (lane % 4 == 1)
    mask = __activemask();
  else
    mask = ~__activemask();
  out[lane] = mask;
}

int main() {
  unsigned got[32] = {}, taken = 0x22222222u;
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  masks<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    unsigned active = i % 4 == 1 ? got[i] : ~got[i];
    unsigned allowed = i % 4 == 1 ? taken : ~taken;
    if (!(active >> i & 1)) return std::printf("FAIL lane %d is missing from its mask %x\n", i, active), 1;
    if (active & ~allowed) return std::printf("FAIL lane %d sees %x, allowed is %x\n", i, active, allowed), 1;
  }
  std::puts("PASS");
}
