// __reduce_add_sync, min, max (signed and unsigned), and, or, xor over a full warp.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reduce(int* out) {
  int lane = threadIdx.x, value = lane * 37 % 32 - 9;
  unsigned bits = 0xf0u ^ (1u << (lane % 8));
  unsigned wide = static_cast<unsigned>(value);
  int results[8] = {__reduce_add_sync(0xffffffffu, value),
                    __reduce_min_sync(0xffffffffu, value),
                    __reduce_max_sync(0xffffffffu, value),
                    static_cast<int>(__reduce_min_sync(0xffffffffu, wide)),
                    static_cast<int>(__reduce_max_sync(0xffffffffu, wide)),
                    static_cast<int>(__reduce_and_sync(0xffffffffu, bits | 0x100u)),
                    static_cast<int>(__reduce_or_sync(0xffffffffu, bits)),
                    static_cast<int>(__reduce_xor_sync(0xffffffffu, bits + lane))};
  for (int i = 0; i < 8; ++i) out[i * 32 + lane] = results[i];
}

int main() {
  int got[256] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  reduce<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  unsigned xors = 0;
  for (unsigned lane = 0; lane < 32; ++lane) xors ^= (0xf0u ^ (1u << (lane % 8))) + lane;
  int want[8] = {31 * 16 - 9 * 32, -9, 22, 0, -1, 0x100, 0xff, static_cast<int>(xors)};
  for (int i = 0; i < 256; ++i)
    if (got[i] != want[i / 32])
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i / 32]), 1;
  std::puts("PASS");
}
