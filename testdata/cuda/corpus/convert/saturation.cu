// Conversions that leave the integer's range give its nearest end.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void convert(const double* in, long long* out) {
  double x = in[threadIdx.x];
  float f = static_cast<float>(x);
  long long results[8] = {__float2int_rz(f),  __float2uint_rz(f),
                          __float2ll_rz(f),   static_cast<long long>(__float2ull_rz(f) >> 1),
                          __double2int_rz(x), __double2uint_rz(x),
                          __double2ll_rz(x),  static_cast<long long>(__double2ull_rz(x) >> 1)};
  for (int i = 0; i < 8; ++i) out[threadIdx.x * 8 + i] = results[i];
}

int main() {
  double values[6] = {1e30, -1e30, 3e9, -3e9, INFINITY, -INFINITY};
  const long long low = -0x7fffffffLL - 1, high = 0x7fffffff, ulong = 0xffffffffLL;
  const long long wide_high = 0x7fffffffffffffffLL, wide_low = -wide_high - 1;
  long long got[48] = {}, want[6][4] = {{high, ulong, wide_high, wide_high},
                                        {low, 0, wide_low, 0},
                                        {high, 3000000000LL, 3000000000LL, 1500000000LL},
                                        {low, 0, -3000000000LL, 0},
                                        {high, ulong, wide_high, wide_high},
                                        {low, 0, wide_low, 0}};
  double* in;
  cudaMalloc(&in, sizeof(values));
  long long* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  convert<<<1, 6>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 48; ++i)
    if (got[i] != want[i / 8][i % 4])
      return std::printf("FAIL [%d] got %lld, wanted %lld\n", i, got[i], want[i / 8][i % 4]), 1;
  std::puts("PASS");
}
