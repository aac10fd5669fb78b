// __fadd, __fmul, __fdiv, __fsqrt and __frcp with _rn, _rz, _ru and _rd.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float a = in[2 * threadIdx.x], b = in[2 * threadIdx.x + 1];
  float results[20] = {__fadd_rn(a, b), __fadd_rz(a, b), __fadd_ru(a, b), __fadd_rd(a, b), __fmul_rn(a, b),
                       __fmul_rz(a, b), __fmul_ru(a, b), __fmul_rd(a, b), __fdiv_rn(a, b), __fdiv_rz(a, b),
                       __fdiv_ru(a, b), __fdiv_rd(a, b), __fsqrt_rn(b),   __fsqrt_rz(b),   __fsqrt_ru(b),
                       __fsqrt_rd(b),   __frcp_rn(b),    __frcp_rz(b),    __frcp_ru(b),    __frcp_rd(b)};
  for (int i = 0; i < 20; ++i) out[threadIdx.x * 20 + i] = results[i];
}

static float rounded(double exact, int mode) {
  float nearest = static_cast<float>(exact);
  float below = nearest > exact ? std::nextafter(nearest, -INFINITY) : nearest;
  float above = nearest < exact ? std::nextafter(nearest, INFINITY) : nearest;
  return mode == 0 ? nearest : mode == 2 ? above : mode == 3 ? below : exact > 0 ? below : above;
}

int main() {
  float values[8] = {1, 3, -1.1f, 7.7f, 0.1f, 0.3f, -1e5f, 0.77f}, got[80] = {};
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 4>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 80; ++i) {
    double a = values[i / 20 * 2], b = values[i / 20 * 2 + 1];
    double exact[5] = {a + b, a * b, a / b, std::sqrt(b), 1 / b};
    float want = rounded(exact[i % 20 / 4], i % 4);
    if (got[i] != want) return std::printf("FAIL [%d] got %a, wanted %a\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
