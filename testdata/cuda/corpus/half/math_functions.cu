// Functions of __half: square root, exponential, logarithm, sine, rounding, within a unit of the last place.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(float* out) {
  float x = 0.125f + threadIdx.x * 0.25f;
  __half h = __float2half(x);
  float* mine = out + threadIdx.x * 8;
  mine[0] = __half2float(hsqrt(h));
  mine[1] = __half2float(hexp(h));
  mine[2] = __half2float(hlog(h));
  mine[3] = __half2float(hsin(h));
  mine[4] = __half2float(hrcp(h));
  mine[5] = __half2float(hfloor(h));
  mine[6] = __half2float(hrint(h));
  mine[7] = __half2float(hexp2(h));
}

int main() {
  float got[32 * 8] = {};
  float* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) {
    double x = 0.125 + i / 8 * 0.25;
    double want[8] = {std::sqrt(x), std::exp(x),   std::log(x),       std::sin(x),
                      1 / x,        std::floor(x), std::nearbyint(x), std::exp2(x)};
    double tolerance =
        std::fabs(want[i % 8]) * 0x1p-10 + 0x1p-11;  // sine and logarithm lose bits around zero
    if (!(std::fabs(got[i] - want[i % 8]) <= tolerance))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want[i % 8])), 1;
  }
  std::puts("PASS");
}
