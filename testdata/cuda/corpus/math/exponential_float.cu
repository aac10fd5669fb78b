// Exponentials and logarithms in single precision, within the documented units of the last place.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float x = in[threadIdx.x], positive = fabsf(x) + 0.001f;
  float results[8] = {expf(x),        exp2f(x),        exp10f(x),        expm1f(x),
                      logf(positive), log2f(positive), log10f(positive), log1pf(positive)};
  for (int i = 0; i < 8; ++i) out[threadIdx.x * 8 + i] = results[i];
}

int main() {
  const int ulps[8] = {2, 2, 2, 1, 1, 1, 2, 1};
  static float values[200], got[200 * 8];
  for (int i = 0; i < 200; ++i) values[i] = (i - 100) * 0.3f + 0.017f;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 200>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 200 * 8; ++i) {
    double x = values[i / 8], positive = std::fabs(values[i / 8]) + 0.001f;
    double want[8] = {std::exp(x),        std::exp2(x),        std::pow(10.0, x),    std::expm1(x),
                      std::log(positive), std::log2(positive), std::log10(positive), std::log1p(positive)};
    int exponent;
    std::frexp(want[i % 8], &exponent);
    double tolerance = (ulps[i % 8] + 1) * std::ldexp(1.0, exponent - 24);
    if (!(std::fabs(got[i] - want[i % 8]) <= tolerance))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want[i % 8])), 1;
  }
  std::puts("PASS");
}
