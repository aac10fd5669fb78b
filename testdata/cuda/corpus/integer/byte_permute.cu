// __byte_perm: any four of eight bytes, in any order.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void permute(const unsigned* selectors, unsigned* out) {
  out[threadIdx.x] = __byte_perm(0x83c25140u, 0xf7b6a5d4u, selectors[threadIdx.x]);
}

int main() {
  unsigned selectors[8] = {0x3210, 0x7654, 0x0123, 0x0246, 0x1357, 0x6666, 0x5432, 0x7007};
  unsigned char bytes[8] = {0x40, 0x51, 0xc2, 0x83, 0xd4, 0xa5, 0xb6, 0xf7};
  unsigned got[8] = {};
  unsigned* device_selectors;
  cudaMalloc(&device_selectors, sizeof(selectors));
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(device_selectors, selectors, sizeof(selectors), cudaMemcpyHostToDevice);
  permute<<<1, 8>>>(device_selectors, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i) {
    unsigned want = 0;
    for (int b = 0; b < 4; ++b) {
      unsigned selector = selectors[i] >> 4 * b & 7;
      want |= static_cast<unsigned>(bytes[selector]) << 8 * b;
    }
    if (got[i] != want) return std::printf("FAIL [%d] got %x, wanted %x\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
