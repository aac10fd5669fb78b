// fma rounds once: the product's low bits survive a cancelling addition; with all four rounding modes.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(float* single, double* wide) {
  float a = 1 + 0x1p-13f, b = 1 - 0x1p-13f;
  single[0] = fmaf(a, b, -1.0f);
  single[1] = __fmul_rn(a, b) - 1.0f;
  single[2] = __fmaf_rn(a, a, 0x1p-30f);
  single[3] = __fmaf_rz(a, a, 0x1p-30f);
  single[4] = __fmaf_ru(a, a, 0x1p-30f);
  single[5] = __fmaf_rd(-a, a, -0x1p-30f);
  double c = 1 + 0x1p-30, d = 1 - 0x1p-30;
  wide[0] = fma(c, d, -1.0);
  wide[1] = __dmul_rn(c, d) - 1.0;
  wide[2] = __fma_ru(c, c, 0.0);
  wide[3] = __fma_rd(c, c, 0.0);
}

int main() {
  float got[6] = {},
        want[6] = {
            -0x1p-26f, 0, 1 + 0x1p-12f, 1 + 0x1p-12f, 1 + 0x1p-12f + 0x1p-23f, -1 - 0x1p-12f - 0x1p-23f};
  double got_wide[4] = {}, want_wide[4] = {-0x1p-60, 0, 1 + 0x1p-29 + 0x1p-52, 1 + 0x1p-29};
  float* single;
  cudaMalloc(&single, sizeof(got));
  double* wide;
  cudaMalloc(&wide, sizeof(got_wide));
  cudaMemset(single, 0xff, sizeof(got));
  cudaMemset(wide, 0xff, sizeof(got_wide));
  compute<<<1, 1>>>(single, wide);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, single, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(got_wide, wide, sizeof(got_wide), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %a, wanted %a\n", i, got[i], want[i]), 1;
  for (int i = 0; i < 4; ++i)
    if (got_wide[i] != want_wide[i])
      return std::printf("FAIL [%d] got %a, wanted %a\n", i, got_wide[i], want_wide[i]), 1;
  std::puts("PASS");
}
