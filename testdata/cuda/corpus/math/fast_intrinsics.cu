// __sinf, __cosf, __expf, __logf, __powf, __fdividef and friends, within the errors that CUDA documents.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float x = in[threadIdx.x], positive = fabsf(x) + 0.5f;
  float results[8] = {__sinf(x),         __cosf(x),
                      __expf(x),         __logf(positive),
                      __log2f(positive), __fdividef(x, positive),
                      __exp10f(x),       __powf(positive, 1.5f)};
  for (int i = 0; i < 8; ++i) out[threadIdx.x * 8 + i] = results[i];
}

int main() {
  static float values[125], got[1000];
  for (int i = 0; i < 125; ++i) values[i] = (i - 62) * 0.05f;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 125>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 1000; ++i) {
    double x = values[i / 8], p = std::fabs(values[i / 8]) + 0.5f;
    double want[8] = {std::sin(x),  std::cos(x), std::exp(x),       std::log(p),
                      std::log2(p), x / p,       std::pow(10.0, x), std::pow(p, 1.5)};
    double ulp = std::fabs(want[i % 8]) * 0x1p-23;
    double bounds[8] = {0x1p-21,           0x1p-21, (3 + 1.173 * std::fabs(x)) * ulp, 0x1p-21 + 3 * ulp,
                        0x1p-21 + 3 * ulp, 3 * ulp, (3 + 2.97 * std::fabs(x)) * ulp,  16 * ulp};
    if (!(std::fabs(got[i] - want[i % 8]) <= bounds[i % 8]))
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, double(got[i]), double(want[i % 8])), 1;
  }
  std::puts("PASS");
}
