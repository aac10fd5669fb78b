// __match_any_sync: the mask of lanes that hold the same value, 32 and 64 bits wide.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void match(unsigned* out) {
  int lane = threadIdx.x;
  out[lane] = __match_any_sync(0xffffffffu, lane % 5);
  out[32 + lane] = __match_any_sync(0xffffffffu, (lane / 8) * 0x100000000LL);
  out[64 + lane] = lane < 10 ? __match_any_sync(0x3ffu, lane / 4) : 0u;
  out[96 + lane] = __match_any_sync(0xffffffffu, static_cast<float>(lane & 2));
}

int main() {
  unsigned got[128] = {};
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  match<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128; ++i) {
    int lane = i % 32;
    unsigned want = 0;
    for (int j = 0; j < 32; ++j) {
      bool same[4] = {j % 5 == lane % 5, j / 8 == lane / 8, j < 10 && lane < 10 && j / 4 == lane / 4,
                      (j & 2) == (lane & 2)};
      if (same[i / 32]) want |= 1u << j;
    }
    if (got[i] != want) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
