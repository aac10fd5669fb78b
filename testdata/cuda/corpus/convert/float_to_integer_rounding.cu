// float and double to 32- and 64-bit integers with each rounding mode.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void convert(const float* in, long long* out) {
  float x = in[threadIdx.x];
  double y = x;
  long long results[16] = {__float2int_rn(x),  __float2int_rz(x),  __float2int_ru(x),  __float2int_rd(x),
                           __float2ll_rn(x),   __float2ll_rz(x),   __float2ll_ru(x),   __float2ll_rd(x),
                           __double2int_rn(y), __double2int_rz(y), __double2int_ru(y), __double2int_rd(y),
                           __double2ll_rn(y),  __double2ll_rz(y),  __double2ll_ru(y),  __double2ll_rd(y)};
  for (int i = 0; i < 16; ++i) out[threadIdx.x * 16 + i] = results[i];
}

int main() {
  float values[10] = {0.5f, 1.5f, 2.5f, -0.5f, -1.5f, -2.5f, 1e6f + 0.25f, -1e6f - 0.75f, 0.999f, -3.001f};
  long long got[160];
  for (long long& value : got) value = 77;
  float* in;
  cudaMalloc(&in, sizeof(values));
  long long* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  convert<<<1, 10>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 160; ++i) {
    double x = values[i / 16];
    double want[4] = {std::nearbyint(x), std::trunc(x), std::ceil(x), std::floor(x)};
    if (got[i] != static_cast<long long>(want[i % 4]))
      return std::printf("FAIL [%d] got %lld, wanted %lld\n", i, got[i], static_cast<long long>(want[i % 4])),
             1;
  }
  std::puts("PASS");
}
