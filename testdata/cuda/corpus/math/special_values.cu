// Infinities, NaN, zeros and overflow through the functions, as IEEE 754 and C want them.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void compute(const float* in, float* out) {
  float zero = in[0], one = in[1], inf = in[2], nan = in[3], minus = in[4];
  float results[20] = {sqrtf(minus),
                       logf(zero),
                       logf(minus),
                       expf(inf),
                       expf(-inf),
                       powf(nan, zero),
                       powf(one, nan),
                       fminf(nan, one),
                       fmaxf(minus, nan),
                       inf - inf,
                       one / zero,
                       minus / zero,
                       fmodf(one, zero),
                       expf(100.0f),
                       expf(-200.0f),
                       atan2f(zero, minus),
                       copysignf(inf, minus),
                       sinf(inf),
                       powf(minus, 0.5f),
                       fdimf(minus, one)};
  for (int i = 0; i < 20; ++i) out[i] = results[i];
  out[20] = isnan(nan) && !isnan(inf) && isinf(-inf) && !isinf(one) && isfinite(minus) && signbit(minus) &&
            !signbit(one);
}

int main() {
  const float inf = INFINITY, nan = NAN;
  float values[5] = {0, 1, inf, nan, -2}, got[21] = {};
  float want[21] = {nan,  -inf, nan, inf, 0,           1,    1,   1,   -2, nan, inf,
                    -inf, nan,  inf, 0,   3.14159274f, -inf, nan, nan, 0,  1};
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemset(out, 0x41, sizeof(got));
  compute<<<1, 1>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 21; ++i) {
    bool same =
        got[i] == want[i] || std::fabs(got[i] - want[i]) < 1e-6f || (got[i] != got[i] && want[i] != want[i]);
    if (!same) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want[i]), 1;
  }
  std::puts("PASS");
}
