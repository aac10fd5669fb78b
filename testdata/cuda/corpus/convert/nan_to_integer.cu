// NaN becomes 0 as a 32-bit integer from a float, and the lowest bit pattern 1000... everywhere else.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void convert(const float* in, unsigned long long* out) {
  float f = in[0];
  double d = f;
  out[0] = static_cast<unsigned>(__float2int_rn(f));
  out[1] = __float2uint_rn(f);
  out[2] = static_cast<unsigned long long>(__float2ll_rn(f));
  out[3] = __float2ull_rn(f);
  out[4] = static_cast<unsigned>(__double2int_rn(d));
  out[5] = __double2uint_rn(d);
  out[6] = static_cast<unsigned long long>(__double2ll_rn(d));
  out[7] = __double2ull_rn(d);
}

int main() {
  float value[1] = {NAN};
  unsigned long long got[8], top = 1ull << 63, want[8] = {0, 0, top, top, 1u << 31, 1u << 31, top, top};
  float* in;
  cudaMalloc(&in, 4);
  unsigned long long* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, value, sizeof(value), cudaMemcpyHostToDevice);
  cudaMemset(out, 0x33, sizeof(got));
  convert<<<1, 1>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 8; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %llx, wanted %llx\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
