// __nv_bfloat16 arithmetic and conversion: 8 bits, rounded to nearest even, the range of a float.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  __nv_bfloat16 a = __float2bfloat16(in[2 * threadIdx.x]), b = __float2bfloat16(in[2 * threadIdx.x + 1]);
  float* mine = out + threadIdx.x * 6;
  mine[0] = __bfloat162float(a);
  mine[1] = __bfloat162float(__hadd(a, b));
  mine[2] = __bfloat162float(__hmul(a, b));
  mine[3] = __bfloat162float(__hfma(a, b, b));
  mine[4] = __bfloat162float(__hsub(a, b));
  mine[5] = __bfloat162float(__hdiv(a, b));
}

static double rounded(double x) {
  if (x == 0) return 0;
  int exponent;
  std::frexp(x, &exponent);
  double unit = std::ldexp(1.0, exponent - 8);
  return std::nearbyint(x / unit) * unit;
}

int main() {
  float values[8] = {1.00390625f, 3, 1e30f, 7, -255.5f, 1.01f, 0x1.03p0f, 1e-30f}, got[24] = {};
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 4>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24; ++i) {
    double a = rounded(values[i / 6 * 2]), b = rounded(values[i / 6 * 2 + 1]);
    double want[6] = {a, rounded(a + b), rounded(a * b), rounded(a * b + b), rounded(a - b), rounded(a / b)};
    if (got[i] != static_cast<float>(want[i % 6]))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, got[i], static_cast<float>(want[i % 6])), 1;
  }
  std::puts("PASS");
}
