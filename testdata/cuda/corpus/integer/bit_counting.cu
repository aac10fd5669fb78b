// __popc, __clz, __ffs, __brev and their 64-bit kinds, for every single bit and for zero.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* out, unsigned* reversed) {
  int t = threadIdx.x;
  unsigned word = t < 32 ? 1u << t : t == 32 ? 0u : 0x00ff0f30u;
  unsigned long long wide = t < 64 ? 1ull << t : t == 64 ? 0ull : 0x00f00000000000c0ull;
  int results[6] = {
      __popc(word),   __clz(static_cast<int>(word)),         __ffs(static_cast<int>(word)),
      __popcll(wide), __clzll(static_cast<long long>(wide)), __ffsll(static_cast<long long>(wide))};
  for (int i = 0; i < 6; ++i) out[t * 6 + i] = results[i];
  reversed[t] =
      __brev(word) ^ static_cast<unsigned>(__brevll(wide) >> 32) ^ static_cast<unsigned>(__brevll(wide));
}

int main() {
  int got[66 * 6] = {};
  unsigned bits[66] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  unsigned* reversed;
  cudaMalloc(&reversed, sizeof(bits));
  count<<<1, 66>>>(out, reversed);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(bits, reversed, sizeof(bits), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 66; ++t) {
    unsigned long long word = t < 32    ? 1u << t
                              : t == 32 ? 0u
                                        : 0x00ff0f30u,
                       wide = t < 64    ? 1ull << t
                              : t == 64 ? 0ull
                                        : 0x00f00000000000c0ull;
    int want[6] = {0, 32, 0, 0, 64, 0};
    unsigned folded = 0;
    for (int b = 63; b >= 0; --b) {
      if (word >> b & 1)
        want[0]++, want[1] = want[1] == 32 ? 31 - b : want[1], want[2] = b + 1, folded ^= 1u << (31 - b);
      if (wide >> b & 1)
        want[3]++, want[4] = want[4] == 64 ? 63 - b : want[4], want[5] = b + 1, folded ^= 1u << (31 - b % 32);
    }
    for (int i = 0; i < 6; ++i)
      if (got[t * 6 + i] != want[i])
        return std::printf("FAIL [%d] got %d, wanted %d\n", t * 6 + i, got[t * 6 + i], want[i]), 1;
    if (bits[t] != folded) return std::printf("FAIL [%d] got %x, wanted %x\n", t, bits[t], folded), 1;
  }
  std::puts("PASS");
}
