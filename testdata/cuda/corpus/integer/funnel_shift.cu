// __funnelshift_l, _r (shift modulo 32) and _lc, _rc (shift clamped to 32).
#include <cuda_runtime.h>

#include <cstdio>

__global__ void shift(unsigned* out) {
  unsigned low = 0x89abcdefu, high = 0x01234567u, s = threadIdx.x;
  out[s * 4] = __funnelshift_l(low, high, s);
  out[s * 4 + 1] = __funnelshift_r(low, high, s);
  out[s * 4 + 2] = __funnelshift_lc(low, high, s);
  out[s * 4 + 3] = __funnelshift_rc(low, high, s);
}

int main() {
  unsigned got[160] = {};
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  shift<<<1, 40>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  const unsigned long long pair = 0x0123456789abcdefull;
  for (unsigned s = 0; s < 40; ++s) {
    unsigned wrapped = s % 32, clamped = s < 32 ? s : 32;
    unsigned want[4] = {static_cast<unsigned>(pair << wrapped >> 32), static_cast<unsigned>(pair >> wrapped),
                        static_cast<unsigned>(pair << clamped >> 32), static_cast<unsigned>(pair >> clamped)};
    for (int i = 0; i < 4; ++i)
      if (got[s * 4 + i] != want[i])
        return std::printf("FAIL [%d] got %x, wanted %x\n", int(s * 4 + i), got[s * 4 + i], want[i]), 1;
  }
  std::puts("PASS");
}
