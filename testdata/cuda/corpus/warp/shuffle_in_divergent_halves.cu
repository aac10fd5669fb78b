// Shuffles under divergence: even and odd lanes take different branches, each with its own mask.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void split(int* out) {
  int lane = threadIdx.x, value = lane + 1;
  if (lane % 2 == 0) {
    for (int offset = 16; offset >= 2; offset /= 2) value += __shfl_xor_sync(0x55555555u, value, offset);
  } else {
    for (int offset = 2; offset <= 16; offset *= 2) {
      int other = __shfl_xor_sync(0xaaaaaaaau, value, offset);
      value = other > value ? other : value;
    }
  }
  out[lane] = value;
}

int main() {
  int got[32] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  split<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != (i % 2 ? 32 : 256))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (i % 2 ? 32 : 256)), 1;
  std::puts("PASS");
}
