// Kahan's sum keeps what float rounding loses: the compiler must not simplify the compensation away.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void sum(const float* in, int count, float* out) {
  float plain = 0, careful = 0, lost = 0;
  for (int i = 0; i < count; ++i) {
    plain += in[i];
    float value = in[i] - lost, next = careful + value;
    lost = (next - careful) - value;
    careful = next;
  }
  out[0] = plain;
  out[1] = careful;
}

int main() {
  const int count = 20001;
  static float values[count];
  float got[2] = {};
  double want = 0;
  values[0] = 1e6f;
  for (int i = 1; i < count; ++i) values[i] = 0.01f;
  for (float value : values) want += value;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(in, count, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  if (std::fabs(got[0] - want) < 1) return std::printf("FAIL the plain sum %.9g is too good\n", got[0]), 1;
  if (!(std::fabs(got[1] - want) <= 0.07))
    return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", 1, double(got[1]), double(want)), 1;
  std::puts("PASS");
}
