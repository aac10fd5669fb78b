// Division and remainder: truncation toward zero, sign of the remainder, unsigned, 64 bits, powers of two.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void divide(const long long* in, long long* out) {
  long long a = in[threadIdx.x / 8], b = in[threadIdx.x % 8];
  int x = static_cast<int>(a), y = static_cast<int>(b);
  long long* mine = out + threadIdx.x * 6;
  mine[0] = a / b;
  mine[1] = a % b;
  mine[2] = x / y + 10LL * (x % y);
  mine[3] = static_cast<unsigned>(x) / static_cast<unsigned>(y);
  mine[4] = static_cast<long long>(static_cast<unsigned long long>(a) % static_cast<unsigned long long>(b));
  mine[5] = x / 8 + x % 8 * 100LL;
}

int main() {
  long long values[8] = {7, -7, 3, -3, 1000000007, -1000000000123LL, 0x7fffffffffffLL, 16};
  static long long got[64 * 6];
  long long* in;
  cudaMalloc(&in, sizeof(values));
  long long* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  divide<<<1, 64>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) {
    long long a = values[t / 8], b = values[t % 8], x = static_cast<int>(a), y = static_cast<int>(b);
    long long want[6] = {
        a / b,
        a % b,
        x / y + 10 * (x % y),
        static_cast<long long>(static_cast<unsigned>(x)) / static_cast<unsigned>(y),
        static_cast<long long>(static_cast<unsigned long long>(a) % static_cast<unsigned long long>(b)),
        x / 8 + x % 8 * 100};
    for (int i = 0; i < 6; ++i)
      if (got[t * 6 + i] != want[i])
        return std::printf("FAIL [%d] got %lld, wanted %lld\n", t * 6 + i, got[t * 6 + i], want[i]), 1;
  }
  std::puts("PASS");
}
