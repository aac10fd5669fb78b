// min and max of mixed integer and real types, abs, fabs, llabs, __saturatef, fdim.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(double* out) {
  int t = threadIdx.x, a = 5 - t;
  long long wide = -4000000000LL + t;
  double results[12] = {1.0 * min(a, 2),       1.0 * max(a, -2),
                        1.0 * min(7u, 3u + t), static_cast<double>(max(wide, -5000000000LL)),
                        min(a * 0.5f, 1.25f),  max(a * 0.5, 1.25),
                        1.0 * abs(a),          static_cast<double>(llabs(wide)),
                        fabs(a - 0.5),         __saturatef(a * 0.3f),
                        fdimf(a, 2.0f),        static_cast<double>(fmaxf(a, 1.0f) + fminf(a, 1.0f))};
  for (int i = 0; i < 12; ++i) out[t * 12 + i] = results[i];
}

int main() {
  double got[144] = {};
  double* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 12>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 144; ++i) {
    int t = i / 12, a = 5 - t;
    float part = a * 0.3f;
    double want[12] = {1.0 * (a < 2 ? a : 2),     1.0 * (a > -2 ? a : -2),
                       t < 4 ? 3.0 + t : 7.0,     -4e9 + t,
                       a < 2.5 ? a * 0.5 : 1.25,  a > 2.5 ? a * 0.5 : 1.25,
                       1.0 * (a < 0 ? -a : a),    4e9 - t,
                       a > 0 ? a - 0.5 : 0.5 - a, part < 0 ? 0 : part > 1 ? 1 : part,
                       a > 2 ? a - 2.0 : 0.0,     a + 1.0};
    if (got[i] != want[i % 12])
      return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", i, got[i], want[i % 12]), 1;
  }
  std::puts("PASS");
}
