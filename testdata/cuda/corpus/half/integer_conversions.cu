// __half to and from integers: rounding modes, and results of conversions that leave the range of a half.
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdio>

__global__ void convert(int* out) {
  __half x = __float2half(-2.5f), y = __float2half(3.5f);
  int results[12] = {__half2int_rn(x),
                     __half2int_rz(x),
                     __half2int_ru(x),
                     __half2int_rd(x),
                     __half2int_rn(y),
                     static_cast<int>(__half2uint_rz(y)),
                     __half2short_rn(y),
                     static_cast<int>(__half2ll_rd(y)),
                     __half_as_ushort(__int2half_rn(2049)),
                     __half_as_ushort(__int2half_rz(-70000)),
                     __half_as_ushort(__uint2half_rn(100000u)),
                     __half_as_ushort(__short2half_rn(-3))};
  for (int i = 0; i < 12; ++i) out[i] = results[i];
}

int main() {
  int got[12] = {}, want[12] = {-2, -2, -2, -3, 4, 3, 4, 3, 0x6800, 0xfbff, 0x7c00, 0xc200};
  int* out;
  cudaMalloc(&out, sizeof(got));
  convert<<<1, 1>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 12; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
