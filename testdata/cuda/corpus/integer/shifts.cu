// Shifts of signed, unsigned and 64-bit numbers by variable amounts below the width.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void shift(const long long* in, long long* out) {
  long long wide = in[threadIdx.x / 64];
  int amount = threadIdx.x % 64, word = static_cast<int>(wide), narrow = amount % 32;
  long long* mine = out + threadIdx.x * 5;
  mine[0] = word >> narrow;
  mine[1] = static_cast<unsigned>(word) >> narrow;
  mine[2] = static_cast<unsigned>(word) << narrow;
  mine[3] = wide >> amount;
  mine[4] = static_cast<long long>(static_cast<unsigned long long>(wide) >> amount ^
                                   static_cast<unsigned long long>(wide) << amount);
}

int main() {
  long long values[4] = {-1, 0x7edcba9876543210LL, -0x123456789abcdefLL, 0x80000000LL};
  static long long got[256 * 5];
  long long* in;
  cudaMalloc(&in, sizeof(values));
  long long* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  shift<<<1, 256>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 256; ++t) {
    long long wide = values[t / 64], word = static_cast<int>(wide), power = 1LL << t % 32;
    unsigned long long bits = wide, mirror = bits;
    for (int i = 0; i < t % 64; ++i) bits /= 2, mirror *= 2;
    long long floor = wide;
    for (int i = 0; i < t % 64; ++i) floor = floor >= 0 ? floor / 2 : -((-floor + 1) / 2);
    long long want[5] = {word >= 0 ? word / power : -((-word + power - 1) / power),
                         static_cast<long long>(static_cast<unsigned>(word) / power),
                         static_cast<unsigned>(static_cast<unsigned>(word) * static_cast<unsigned>(power)),
                         floor, static_cast<long long>(bits ^ mirror)};
    for (int i = 0; i < 5; ++i)
      if (got[t * 5 + i] != want[i])
        return std::printf("FAIL [%d] got %lld, wanted %lld\n", t * 5 + i, got[t * 5 + i], want[i]), 1;
  }
  std::puts("PASS");
}
