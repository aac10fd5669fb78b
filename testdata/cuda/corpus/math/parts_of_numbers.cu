// fmodf, remainderf, remquof, modff, frexpf, ldexpf, scalbnf, ilogbf, logbf, nextafterf: exact results.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float x = in[threadIdx.x], whole, *mine = out + threadIdx.x * 12;
  int exponent, quotient;
  mine[0] = fmodf(x, 3.25f);
  mine[1] = remainderf(x, 3.25f);
  mine[2] = modff(x, &whole);
  mine[3] = whole;
  mine[4] = frexpf(x, &exponent);
  mine[5] = static_cast<float>(exponent);
  mine[6] = ldexpf(x, -3);
  mine[7] = scalbnf(x, 5);
  mine[8] = static_cast<float>(ilogbf(x));
  mine[9] = logbf(x);
  mine[10] = nextafterf(x, 1000000.0f);
  mine[11] = remquof(x, 3.25f, &quotient);
  mine[11] += static_cast<float>(quotient & 7) * 16;
}

int main() {
  const int n = 8;
  float values[n] = {10.75f, -10.75f, 0.1f, 1e6f, -3.25f, 0x1p-130f, 123.456f, 4.875f}, got[n * 12] = {};
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, n>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < n * 12; ++i) {
    float x = values[i / 12], whole, part = std::modf(x, &whole);
    int exponent, quotient;
    float fraction = std::frexp(x, &exponent), rest = std::remquo(x, 3.25f, &quotient);
    float want[12] = {std::fmod(x, 3.25f),
                      std::remainder(x, 3.25f),
                      part,
                      whole,
                      fraction,
                      1.0f * exponent,
                      std::ldexp(x, -3),
                      std::scalbn(x, 5),
                      1.0f * std::ilogb(x),
                      std::logb(x),
                      std::nextafter(x, 1e6f),
                      rest + (quotient & 7) * 16};
    if (got[i] != want[i % 12])
      return std::printf("FAIL [%d] got %a, wanted %a\n", i, got[i], want[i % 12]), 1;
  }
  std::puts("PASS");
}
