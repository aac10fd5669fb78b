// alignas behind __shared__ and behind static, where only some compilers look for it.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

struct alignas(32) Wide {
  float x;
};

__global__ void addresses(unsigned long long* out) {
  __shared__ char odd;
  __shared__ alignas(alignof(float4)) float tile[16];
  __shared__ alignas(64) char line[3];
  odd = 1;
  tile[threadIdx.x] = threadIdx.x;
  line[0] = odd;
  __syncthreads();
  if (threadIdx.x != 0) return;
  out[0] = reinterpret_cast<uintptr_t>(tile) % 16;
  out[1] = reinterpret_cast<uintptr_t>(line) % 64;
  out[2] = static_cast<unsigned long long>(tile[15] + line[0]);
}

int main() {
  unsigned long long* out;
  cudaMallocManaged(&out, 3 * sizeof *out);
  for (int i = 0; i < 3; ++i) out[i] = 99;
  addresses<<<1, 16>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL launch"), 1;
  if (out[0] != 0 || out[1] != 0 || out[2] != 16 || sizeof(Wide) != 32)
    return std::printf("FAIL %llu %llu %llu\n", out[0], out[1], out[2]), 1;
  std::puts("PASS");
}
