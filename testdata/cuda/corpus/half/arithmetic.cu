// __half arithmetic by intrinsics and operators: results rounded to 11 bits, exactly.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  __half a = __float2half(in[2 * threadIdx.x]), b = __float2half(in[2 * threadIdx.x + 1]);
  float* mine = out + threadIdx.x * 8;
  mine[0] = __half2float(__hadd(a, b));
  mine[1] = __half2float(__hsub(a, b));
  mine[2] = __half2float(__hmul(a, b));
  mine[3] = __half2float(__hdiv(a, b));
  mine[4] = __half2float(__hfma(a, b, a));
  mine[5] = __half2float(a + b * a);
  mine[6] = __half2float(__hneg(a)) + __half2float(__habs(b));
  mine[7] = __half2float(a / b - b);
}

static double rounded(double x) {  // to the nearest half of normal size, ties to even
  int exponent;
  std::frexp(x, &exponent);
  double unit = std::ldexp(1.0, exponent - 11);
  return std::nearbyint(x / unit) * unit;
}

int main() {
  float values[8] = {1.5f, 0.3330078125f, 1024, 3, 2047, 1, -7.25f, 11.5f}, got[32] = {};
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 4>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i) {
    double a = values[i / 8 * 2], b = values[i / 8 * 2 + 1];
    double want[8] = {rounded(a + b),     rounded(a - b),
                      rounded(a * b),     rounded(a / b),
                      rounded(a * b + a), rounded(a + rounded(b * a)),
                      -a + std::fabs(b),  rounded(rounded(a / b) - b)};
    // a + b * a may be fused into one rounding
    if (i % 8 == 5 && got[i] == want[4]) continue;
    if (got[i] != want[i % 8])
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, got[i], want[i % 8]), 1;
  }
  std::puts("PASS");
}
