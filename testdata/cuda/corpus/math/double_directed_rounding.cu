// __dadd, __dmul, __ddiv and __dsqrt with the four rounding modes.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const double* in, double* out) {
  double a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  double results[16] = {__dadd_rn(a, b), __dadd_rz(a, b), __dadd_ru(a, b), __dadd_rd(a, b),
                        __dmul_rn(a, b), __dmul_rz(a, b), __dmul_ru(a, b), __dmul_rd(a, b),
                        __ddiv_rn(a, b), __ddiv_rz(a, b), __ddiv_ru(a, b), __ddiv_rd(a, b),
                        __dsqrt_rn(b),   __dsqrt_rz(b),   __dsqrt_ru(b),   __dsqrt_rd(b)};
  for (int i = 0; i < 16; ++i) out[threadIdx.x * 16 + i] = results[i];
}

static double rounded(long double exact, int mode) {
  double nearest = static_cast<double>(exact);
  double below = nearest > exact ? std::nextafter(nearest, -INFINITY) : nearest;
  double above = nearest < exact ? std::nextafter(nearest, INFINITY) : nearest;
  return mode == 0 ? nearest : mode == 2 ? above : mode == 3 ? below : exact > 0 ? below : above;
}

int main() {
  double values[6] = {1, 3, -1.1, 7.7, 0.1, 0.3}, got[48] = {};
  double* in;
  cudaMalloc(&in, sizeof(values));
  double* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 3>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 48; ++i) {
    long double a = values[i / 16 * 2], b = values[i / 16 * 2 + 1];
    long double exact[4] = {a + b, a * b, a / b, std::sqrt(b)};
    double want = rounded(exact[i % 16 / 4], i % 4);
    if (got[i] != want) return std::printf("FAIL [%d] got %a, wanted %a\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
