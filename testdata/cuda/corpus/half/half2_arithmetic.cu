// __half2: both lanes of the pair, swapping, picking and fused multiply-add.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(float2* out) {
  float t = threadIdx.x;
  __half2 a = __floats2half2_rn(t, t * 0.5f), b = __float2half2_rn(2.0f),
          c = __halves2half2(__float2half(1.0f), __float2half(-t));
  __half2 results[7] = {__hadd2(a, b),        __hmul2(a, c),      __hfma2(a, b, c), __hsub2(c, a),
                        __lowhigh2highlow(a), __lows2half2(a, c), a * b + c};
  for (int i = 0; i < 7; ++i) out[threadIdx.x * 7 + i] = __half22float2(results[i]);
}

int main() {
  float2 got[16 * 7] = {};
  float2* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 16>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int k = 0; k < 16 * 7; ++k) {
    float t = k / 7, h = t / 2;
    float want[7][2] = {{t + 2, h + 2}, {t, -h * t}, {2 * t + 1, 2 * h - t}, {1 - t, -t - h},
                        {h, t},         {t, 1},      {2 * t + 1, 2 * h - t}};
    if (got[k].x != want[k % 7][0])
      return std::printf("FAIL [%d] got %g, wanted %g\n", k, got[k].x, want[k % 7][0]), 1;
    if (got[k].y != want[k % 7][1])
      return std::printf("FAIL [%d] got %g, wanted %g\n", k, got[k].y, want[k % 7][1]), 1;
  }
  std::puts("PASS");
}
