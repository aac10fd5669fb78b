// Trigonometric functions in single precision, within the units of the last place that CUDA documents.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float x = in[threadIdx.x], unit = x / 100.5f;
  float results[8] = {sinf(x), cosf(x), tanf(x), asinf(unit), acosf(unit), atanf(x), sinpif(x), cospif(x)};
  for (int i = 0; i < 8; ++i) out[threadIdx.x * 8 + i] = results[i];
}

int main() {
  const double pi = 3.14159265358979323846;
  const int ulps[8] = {2, 2, 4, 2, 2, 2, 1, 1};
  static float values[201], got[201 * 8];
  for (int i = 0; i < 201; ++i) values[i] = (i - 100) * 0.971f;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 201>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 201 * 8; ++i) {
    double x = values[i / 8], unit = values[i / 8] / 100.5f, turn = std::fmod(x, 2.0);
    double want[8] = {std::sin(x),     std::cos(x),  std::tan(x),         std::asin(unit),
                      std::acos(unit), std::atan(x), std::sin(pi * turn), std::cos(pi * turn)};
    int exponent;
    std::frexp(want[i % 8], &exponent);
    double tolerance = (ulps[i % 8] + 1) * std::ldexp(1.0, exponent - 24) + 1e-15;
    if (!(std::fabs(got[i] - want[i % 8]) <= tolerance))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want[i % 8])), 1;
  }
  std::puts("PASS");
}
