// Hyperbolic functions and their inverses in single precision, within the documented units of the last place.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float x = in[threadIdx.x];
  float results[6] = {sinhf(x), coshf(x), tanhf(x), asinhf(x), acoshf(fabsf(x) + 1), atanhf(x / 11)};
  for (int i = 0; i < 6; ++i) out[threadIdx.x * 6 + i] = results[i];
}

int main() {
  const int ulps[6] = {3, 2, 2, 3, 4, 3};
  static float values[160], got[160 * 6];
  for (int i = 0; i < 160; ++i) values[i] = (i - 80) * 0.125f + 0.01f;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 160>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 160 * 6; ++i) {
    double x = values[i / 6], above_one = std::fabs(values[i / 6]) + 1, part = values[i / 6] / 11;
    double want[6] = {std::sinh(x),  std::cosh(x),          std::tanh(x),
                      std::asinh(x), std::acosh(above_one), std::atanh(part)};
    int exponent;
    std::frexp(want[i % 6], &exponent);
    double tolerance = (ulps[i % 6] + 1) * std::ldexp(1.0, exponent - 24);
    if (!(std::fabs(got[i] - want[i % 6]) <= tolerance))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want[i % 6])), 1;
  }
  std::puts("PASS");
}
