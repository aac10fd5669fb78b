// sin, exp, pow, sqrt, abs of float stay in single precision, of double in double, also through std::.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

template <typename T>
__device__ T mix(T x) {
  return sqrt(x) + abs(-x) + std::sqrt(x) + std::abs(-x) + std::floor(x) + pow(x, T(2)) + fmax(x, T(1));
}

__global__ void compute(double* out) {
  static_assert(sizeof(sin(1.0f)) == 4 && sizeof(exp(1.0)) == 8 && sizeof(sqrt(2.0f)) == 4 &&
                    sizeof(std::pow(2.0f, 2.0f)) == 4,
                "types");
  float x = 2.25f * (threadIdx.x + 1) * (threadIdx.x + 1);
  out[2 * threadIdx.x] = mix(x);
  out[2 * threadIdx.x + 1] = mix(static_cast<double>(x)) + (sqrt(2.0) - sqrtf(2.0f)) * 1e9;
}

int main() {
  double got[20] = {};
  double* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 10>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 10; ++i) {
    double root = 1.5 * (i + 1), x = root * root, want = 2 * root + 2 * x + std::floor(x) + x * x + x;
    if (!(std::fabs(got[2 * i] - want) <= (want * 1e-6)))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", 2 * i, double(got[2 * i]), double(want)), 1;
    double gap = (std::sqrt(2.0) - static_cast<double>(std::sqrt(2.0f))) * 1e9;
    if (!(std::fabs(got[2 * i + 1] - (want + gap)) <= 1e-6))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", 2 * i + 1, double(got[2 * i + 1]),
                         double((want + gap))),
             1;
  }
  std::puts("PASS");
}
