// __syncwarp with a mask: the two halves of a warp run different loops and meet only among themselves.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void halves(int* out) {
  __shared__ int tile[32];
  int lane = threadIdx.x, value = lane;
  if (lane < 16) {
    for (int i = 0; i < 3; ++i) {
      tile[lane] = value;
      __syncwarp(0x0000ffffu);
      value = tile[(lane + 1) % 16];
      __syncwarp(0x0000ffffu);
    }
  } else {
    for (int i = 0; i < 5; ++i) {
      tile[lane] = value;
      __syncwarp(0xffff0000u);
      value = tile[16 + (lane + 1) % 16];
      __syncwarp(0xffff0000u);
    }
  }
  out[lane] = value;
}

int main() {
  int got[32] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  halves<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    int want = i < 16 ? (i + 3) % 16 : 16 + (i + 5) % 16;
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
