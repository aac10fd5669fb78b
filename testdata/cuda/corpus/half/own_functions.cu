// A program's own function templates over __half, with names that a library might have, too.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

template <class T>
__device__ unsigned bits_of(T value) {
  unsigned bits = 0;
  memcpy(&bits, &value, sizeof value);
  return bits;
}
template <class T>
__device__ T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
__device__ T shuffle(T value) {
  return __shfl_xor_sync(0xffffffffu, value, 1);
}

__global__ void look(unsigned* bits) {
  const __half mine = __float2half(static_cast<float>(threadIdx.x));
  bits[threadIdx.x] = bits_of(larger(mine, shuffle(mine)));
}

int main() {
  unsigned* bits;
  cudaMallocManaged(&bits, 32 * sizeof(unsigned));
  look<<<1, 32>>>(bits);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (unsigned i = 0; i < 32; ++i) {
    const unsigned number = i | 1;
    unsigned exponent = 0;
    while (number >> (exponent + 1)) ++exponent;
    const unsigned want = (15 + exponent) << 10 | (number - (1u << exponent)) << (10 - exponent);
    if (bits[i] != want) return std::printf("FAIL [%u] got %x, wanted %x\n", i, bits[i], want), 1;
  }
  std::puts("PASS");
}
