// __double2float with each rounding mode, overflow and subnormal results; float to double is exact.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void convert(const double* in, float* out, double* back) {
  double x = in[threadIdx.x];
  out[threadIdx.x * 4] = __double2float_rn(x);
  out[threadIdx.x * 4 + 1] = __double2float_rz(x);
  out[threadIdx.x * 4 + 2] = __double2float_ru(x);
  out[threadIdx.x * 4 + 3] = __double2float_rd(x);
  back[threadIdx.x] = static_cast<float>(x);
}

int main() {
  const float inf = INFINITY, most = 0x1.fffffep127f;
  double values[6] = {1 + 0x1p-24, 1 + 0x3p-24, -0.1, 1e39, -1e39, 0x1.8p-149};
  float got[24] = {}, tenth = -0.1f;  // -0.1f lies below -0.1
  float above = std::nextafter(tenth, 0.0f), one = 1 + 0x1p-23f, two = 1 + 0x1p-22f, small = 0x1p-149f;
  float want[24] = {1,   1,    one, 1,    two,  one,   two,   one,  tenth,     above, above,     tenth,
                    inf, most, inf, most, -inf, -most, -most, -inf, 2 * small, small, 2 * small, small};
  double back[6] = {};
  double* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  double* device_back;
  cudaMalloc(&device_back, sizeof(back));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  convert<<<1, 6>>>(in, out, device_back);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(back, device_back, sizeof(back), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 24; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %a, wanted %a\n", i, got[i], want[i]), 1;
  for (int i = 0; i < 6; ++i)
    if (back[i] != want[i * 4])
      return std::printf("FAIL [%d] got %a, wanted %a\n", i, back[i], want[i * 4]), 1;
  std::puts("PASS");
}
