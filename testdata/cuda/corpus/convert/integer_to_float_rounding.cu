// 32- and 64-bit integers to float and double with each rounding mode, where bits are lost.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void convert(const long long* in, double* out) {
  long long wide = in[threadIdx.x];
  int word = static_cast<int>(wide);
  double results[12] = {__int2float_rn(word), __int2float_rz(word), __int2float_ru(word),
                        __int2float_rd(word), __ll2float_rn(wide),  __ll2float_rz(wide),
                        __ll2float_ru(wide),  __ll2float_rd(wide),  __ll2double_rn(wide),
                        __ll2double_rz(wide), __ll2double_ru(wide), __ll2double_rd(wide)};
  for (int i = 0; i < 12; ++i) out[threadIdx.x * 12 + i] = results[i];
}

template <typename Real>
static double rounded(long long exact, int mode) {
  Real nearest = static_cast<Real>(exact);
  long double gap = static_cast<long double>(nearest) - exact;
  Real below = gap > 0 ? std::nextafter(nearest, -static_cast<Real>(INFINITY)) : nearest;
  Real above = gap < 0 ? std::nextafter(nearest, static_cast<Real>(INFINITY)) : nearest;
  return mode == 0 ? nearest : mode == 2 ? above : mode == 3 ? below : exact > 0 ? below : above;
}

int main() {
  long long values[6] = {16777217,           -16777219,           2147483647,
                         9007199254740993LL, -9007199254740995LL, 0x7fffffffffffffffLL};
  double got[72] = {};
  long long* in;
  cudaMalloc(&in, sizeof(values));
  double* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  convert<<<1, 6>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 72; ++i) {
    long long wide = values[i / 12];
    int kind = i % 12 / 4;
    double want = kind == 0   ? rounded<float>(static_cast<int>(wide), i % 4)
                  : kind == 1 ? rounded<float>(wide, i % 4)
                              : rounded<double>(wide, i % 4);
    if (got[i] != want) return std::printf("FAIL [%d] got %a, wanted %a\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
