// __nv_bfloat162 pairs, and float to bf16 with each rounding mode.
#include <cuda_bf16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void compute(const float* in, unsigned short* bits, float2* pairs) {
  float x = in[threadIdx.x];
  bits[threadIdx.x * 4] = __bfloat16_as_ushort(__float2bfloat16_rn(x));
  bits[threadIdx.x * 4 + 1] = __bfloat16_as_ushort(__float2bfloat16_rz(x));
  bits[threadIdx.x * 4 + 2] = __bfloat16_as_ushort(__float2bfloat16_ru(x));
  bits[threadIdx.x * 4 + 3] = __bfloat16_as_ushort(__float2bfloat16_rd(x));
  __nv_bfloat162 a = __floats2bfloat162_rn(threadIdx.x, 0.5f), b = __float2bfloat162_rn(3.0f);
  pairs[threadIdx.x * 2] = __bfloat1622float2(__hfma2(a, b, b));
  pairs[threadIdx.x * 2 + 1] = __bfloat1622float2(__hadd2(a, __lowhigh2highlow(a)));
}

int main() {
  float values[5] = {1 + 0x1p-8f, 1 + 0x3p-8f, -1 - 0x1p-10f, 0x1.ffp127f, 0x1p-133f};
  unsigned short got[20] = {},
                 want[20] = {0x3f80, 0x3f80, 0x3f81, 0x3f80, 0x3f82, 0x3f81, 0x3f82, 0x3f81, 0xbf80, 0xbf80,
                             0xbf80, 0xbf81, 0x7f80, 0x7f7f, 0x7f80, 0x7f7f, 0x0001, 0x0001, 0x0001, 0x0001};
  float2 got_pairs[10] = {};
  float* in;
  cudaMalloc(&in, sizeof(values));
  unsigned short* bits;
  cudaMalloc(&bits, sizeof(got));
  float2* pairs;
  cudaMalloc(&pairs, sizeof(got_pairs));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  compute<<<1, 5>>>(in, bits, pairs);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, bits, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(got_pairs, pairs, sizeof(got_pairs), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 20; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %x, wanted %x\n", i, got[i], want[i]), 1;
  for (int i = 0; i < 5; ++i) {
    if (got_pairs[2 * i].x != i * 3.0f + 3)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got_pairs[2 * i].x, i * 3.0f + 3), 1;
    if (got_pairs[2 * i].y != 4.5f)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got_pairs[2 * i].y, 4.5f), 1;
    if (got_pairs[2 * i + 1].x != i + 0.5f)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got_pairs[2 * i + 1].x, i + 0.5f), 1;
    if (got_pairs[2 * i + 1].y != i + 0.5f)
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got_pairs[2 * i + 1].y, i + 0.5f), 1;
  }
  std::puts("PASS");
}
