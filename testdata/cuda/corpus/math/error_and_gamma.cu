// erff, erfcf, tgammaf, lgammaf, normcdff and erfinvf, within the documented units of the last place.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float x = in[threadIdx.x];
  float results[6] = {erff(x),     erfcf(x),      tgammaf(fabsf(x) + 0.25f), lgammaf(fabsf(x) + 4),
                      normcdff(x), erfinvf(x / 5)};
  for (int i = 0; i < 6; ++i) out[threadIdx.x * 6 + i] = results[i];
}

int main() {
  const int ulps[6] = {2, 4, 11, 6, 5, 2};
  static float values[128], got[128 * 6];
  for (int i = 0; i < 128; ++i) values[i] = (i - 64) * 0.0625f + 0.03125f;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 128>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 128 * 6; ++i) {
    double x = values[i / 6], size = std::fabs(x), part = values[i / 6] / 5, inverse = part;
    for (int step = 0; step < 60; ++step)  // Newton's method on erf(inverse) = part
      inverse -=
          (std::erf(inverse) - part) / (2 / std::sqrt(3.14159265358979323846) * std::exp(-inverse * inverse));
    double want[6] = {std::erf(x),
                      std::erfc(x),
                      std::tgamma(size + 0.25),
                      std::lgamma(size + 4),
                      std::erfc(-x / std::sqrt(2.0)) / 2,
                      inverse};
    int exponent;
    std::frexp(want[i % 6], &exponent);
    double tolerance = (ulps[i % 6] + 1) * std::ldexp(1.0, exponent - 24);
    if (!(std::fabs(got[i] - want[i % 6]) <= tolerance))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want[i % 6])), 1;
  }
  std::puts("PASS");
}
