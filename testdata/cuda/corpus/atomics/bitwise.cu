// atomicAnd, atomicOr and atomicXor, 32 and 64 bits wide.
#include <cuda_runtime.h>

#include <cstdio>

struct Bits {
  unsigned long long wide_and, wide_or, wide_xor;
  unsigned all_and, all_or, all_xor;
  int signed_or;
};

__global__ void combine(Bits* bits) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;  // 0..39
  atomicAnd(&bits->all_and, ~(1u << i % 30));
  atomicOr(&bits->all_or, 1u << i % 30);
  atomicXor(&bits->all_xor, 1u << i % 30);
  atomicAnd(&bits->wide_and, ~(1ull << i));
  atomicOr(&bits->wide_or, 1ull << (i + 20));
  atomicXor(&bits->wide_xor, 3ull << i);
  atomicOr(&bits->signed_or, -0x7fffffff - 1);
}

int main() {
  Bits got = {~0ull, 0, 0, ~0u, 0, 0, 1};
  Bits* bits;
  cudaMalloc(&bits, sizeof(got));
  cudaMemcpy(bits, &got, sizeof(got), cudaMemcpyHostToDevice);
  combine<<<4, 10>>>(bits);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&got, bits, sizeof(got), cudaMemcpyDeviceToHost);
  if (got.all_and != 0xc0000000u || got.all_or != 0x3fffffffu || got.all_xor != 0x3ffffc00u ||
      got.signed_or != -0x7fffffff)
    return std::printf("FAIL got %x %x %x %x\n", got.all_and, got.all_or, got.all_xor, got.signed_or), 1;
  if (got.wide_and != 0xffffff0000000000ull || got.wide_or != 0x0ffffffffff00000ull ||
      got.wide_xor != 0x10000000001ull)
    return std::printf("FAIL got %llx %llx %llx\n", got.wide_and, got.wide_or, got.wide_xor), 1;
  std::puts("PASS");
}
