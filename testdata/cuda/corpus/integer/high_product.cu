// __mulhi, __umulhi, __mul64hi, __umul64hi, __mul24, __umul24.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void multiply(const int* in, long long* out) {
  int a = in[threadIdx.x], b = in[(threadIdx.x + 3) % 8];
  long long wide_a = a * 0x23456789LL, wide_b = b * 0x6789abcdLL;
  long long* mine = out + threadIdx.x * 6;
  mine[0] = __mulhi(a, b);
  mine[1] = __umulhi(static_cast<unsigned>(a), static_cast<unsigned>(b));
  mine[2] = __mul64hi(wide_a, wide_b);
  mine[3] = static_cast<long long>(
      __umul64hi(static_cast<unsigned long long>(wide_a), static_cast<unsigned long long>(wide_b)));
  mine[4] = __mul24(a % 4096, b % 4096);
  mine[5] = __umul24(static_cast<unsigned>(a) % 65536, static_cast<unsigned>(b) % 65536);
}

int main() {
  int values[8] = {0x7fffffff, -0x7fffffff - 1, -1, 123456789, -987654321, 65536, 77, -3};
  long long got[48] = {};
  int* in;
  cudaMalloc(&in, sizeof(values));
  long long* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  multiply<<<1, 8>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 8; ++t) {
    long long a = values[t], b = values[(t + 3) % 8], wa = a * 0x23456789LL, wb = b * 0x6789abcdLL;
    unsigned long long ua = static_cast<unsigned>(values[t]), ub = static_cast<unsigned>(values[(t + 3) % 8]);
    unsigned __int128 full = static_cast<unsigned __int128>(static_cast<unsigned long long>(wa)) *
                             static_cast<unsigned long long>(wb);
    long long want[6] = {a * b >> 32,
                         static_cast<long long>(ua * ub >> 32),
                         static_cast<long long>(static_cast<__int128>(wa) * wb >> 64),
                         static_cast<long long>(full >> 64),
                         a % 4096 * (b % 4096),
                         static_cast<long long>(static_cast<unsigned>(ua % 65536 * (ub % 65536)))};
    for (int i = 0; i < 6; ++i)
      if (got[t * 6 + i] != want[i])
        return std::printf("FAIL [%d] got %lld, wanted %lld\n", t * 6 + i, got[t * 6 + i], want[i]), 1;
  }
  std::puts("PASS");
}
