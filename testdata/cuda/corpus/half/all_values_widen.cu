// Every one of the 65,536 halves converts to float exactly, and back to the same bits.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void round_trip(float* wide, unsigned short* back) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half value = __ushort_as_half(static_cast<unsigned short>(i));
  wide[i] = __half2float(value);
  back[i] = __half_as_ushort(__float2half(wide[i]));
}

int main() {
  static float wide[65536];
  static unsigned short back[65536];
  float* device_wide;
  cudaMalloc(&device_wide, sizeof(wide));
  unsigned short* device_back;
  cudaMalloc(&device_back, sizeof(back));
  round_trip<<<256, 256>>>(device_wide, device_back);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(wide, device_wide, sizeof(wide), cudaMemcpyDeviceToHost);
  cudaMemcpy(back, device_back, sizeof(back), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 65536; ++i) {
    int exponent = i >> 10 & 31, fraction = i & 1023;
    float magnitude =
        exponent ? std::ldexp(1024.0f + fraction, exponent - 25) : std::ldexp(1.0f * fraction, -24);
    if (exponent == 31 && fraction) {
      if (wide[i] == wide[i]) return std::printf("FAIL %x is not a NaN but %g\n", i, wide[i]), 1;
      continue;
    }
    float want = exponent == 31 ? INFINITY : magnitude;
    if (i >> 15) want = -want;
    if (wide[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, wide[i], want), 1;
    if (back[i] != i) return std::printf("FAIL [%d] got %x, wanted %x\n", i, back[i], i), 1;
  }
  std::puts("PASS");
}
