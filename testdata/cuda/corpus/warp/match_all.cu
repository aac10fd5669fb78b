// __match_all_sync: the mask where all lanes agree, else 0; the predicate says which.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void match(unsigned* out) {
  int lane = threadIdx.x, same = 7, different = 7, half = 7;
  unsigned a = __match_all_sync(0xffffffffu, 42, &same);
  unsigned b = __match_all_sync(0xffffffffu, lane == 17, &different);
  unsigned c = 0;
  if (lane >= 16) c = __match_all_sync(0xffff0000u, lane / 16 * 1.5, &half);
  out[lane] = a;
  out[32 + lane] = b;
  out[64 + lane] = c;
  out[96 + lane] = (same != 0) * 100 + (different != 0) * 10 + (half == 7 ? 5 : half != 0);
}

int main() {
  unsigned got[128] = {};
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  match<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    if (got[i] != 0xffffffffu) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], 0xffffffffu), 1;
    if (got[32 + i] != 0u) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[32 + i], 0u), 1;
    if (got[64 + i] != (i < 16 ? 0u : 0xffff0000u))
      return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[64 + i], (i < 16 ? 0u : 0xffff0000u)), 1;
    if (got[96 + i] != (i < 16 ? 105u : 101u))
      return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[96 + i], (i < 16 ? 105u : 101u)), 1;
  }
  std::puts("PASS");
}
