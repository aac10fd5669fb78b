// __shfl_sync: every lane names its own source; indices outside the width wrap around.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void gather(int* out) {
  int lane = threadIdx.x % 32, value = threadIdx.x * 10;
  out[threadIdx.x] = __shfl_sync(0xffffffffu, value, lane * 7 % 32);
  out[64 + threadIdx.x] = __shfl_sync(0xffffffffu, value, lane + 40);
  out[128 + threadIdx.x] = __shfl_sync(0xffffffffu, value, -1);
  out[192 + threadIdx.x] = __shfl_sync(0xffffffffu, value, 5);
}

int main() {
  int got[256] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  gather<<<1, 64>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) {
    int thread = i % 64, lane = thread % 32, base = thread - lane;
    int sources[4] = {lane * 7 % 32, (lane + 40) % 32, 31, 5};
    if (got[i] != (base + sources[i / 64]) * 10)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], (base + sources[i / 64]) * 10), 1;
  }
  std::puts("PASS");
}
