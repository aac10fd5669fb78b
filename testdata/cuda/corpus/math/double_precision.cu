// Functions in double precision against the host's long double, within documented units of the last place.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const double* in, double* out) {
  double x = in[threadIdx.x], y = fabs(x) + 0.5;
  double results[12] = {sin(x),      cos(x),  exp(x),  log(y),  pow(y, x), erf(x),
                        atan2(x, y), sinh(x), sqrt(y), cbrt(x), tgamma(y), rsqrt(y)};
  for (int i = 0; i < 12; ++i) out[threadIdx.x * 12 + i] = results[i];
}

int main() {
  const int ulps[12] = {2, 2, 1, 1, 2, 2, 2, 2, 0, 1, 10, 1};
  static double values[100], got[1200];
  for (int i = 0; i < 100; ++i) values[i] = (i - 50) * 0.173 + 0.01;
  double* in;
  cudaMalloc(&in, sizeof(values));
  double* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 100>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 1200; ++i) {
    long double x = values[i / 12], y = std::fabs(values[i / 12]) + 0.5;
    long double want[12] = {std::sin(x),    std::cos(x),  std::exp(x),      std::log(y),
                            std::pow(y, x), std::erf(x),  std::atan2(x, y), std::sinh(x),
                            std::sqrt(y),   std::cbrt(x), std::tgamma(y),   1 / std::sqrt(y)};
    int exponent;
    std::frexp(want[i % 12], &exponent);
    long double tolerance = (ulps[i % 12] + (i % 12 == 8 ? 0.501L : 1.0L)) * std::ldexp(1.0L, exponent - 53);
    if (!(std::fabs(got[i] - want[i % 12]) <= tolerance))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want[i % 12])), 1;
  }
  std::puts("PASS");
}
