// atomicMin and atomicMax on int, unsigned, long long and unsigned long long.
#include <cuda_runtime.h>

#include <cstdio>

struct Extremes {
  long long low_wide, high_wide;
  unsigned long long low_uwide, high_uwide;
  int low, high;
  unsigned ulow, uhigh;
};

__global__ void extremes(Extremes* e) {
  long long i = blockIdx.x * blockDim.x + threadIdx.x;
  int value = static_cast<int>(i * 7919 % 10007) - 5000;
  atomicMin(&e->low, value);
  atomicMax(&e->high, value);
  atomicMin(&e->ulow, static_cast<unsigned>(value));
  atomicMax(&e->uhigh, static_cast<unsigned>(value));
  atomicMin(&e->low_wide, value * 10000000000LL);
  atomicMax(&e->high_wide, value * 10000000000LL);
  atomicMin(&e->low_uwide, static_cast<unsigned long long>(value * 10000000000LL));
  atomicMax(&e->high_uwide, static_cast<unsigned long long>(value * 10000000000LL));
}

int main() {
  Extremes got = {0, 0, ~0ull, 0, 0, 0, ~0u, 0};
  int low = 0, high = 0;
  unsigned ulow = ~0u, uhigh = 0;
  for (long long i = 0; i < 2048; ++i) {
    int value = static_cast<int>(i * 7919 % 10007) - 5000;
    low = value < low ? value : low;
    high = value > high ? value : high;
    ulow = unsigned(value) < ulow ? unsigned(value) : ulow;
    uhigh = unsigned(value) > uhigh ? unsigned(value) : uhigh;
  }
  Extremes* cells;
  cudaMalloc(&cells, sizeof(got));
  cudaMemcpy(cells, &got, sizeof(got), cudaMemcpyHostToDevice);
  extremes<<<16, 128>>>(cells);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&got, cells, sizeof(got), cudaMemcpyDeviceToHost);
  const long long wide = 10000000000LL;
  bool narrow = got.low == low && got.high == high && got.ulow == ulow && got.uhigh == uhigh;
  if (!narrow) return std::printf("FAIL got %d %d %u %u\n", got.low, got.high, got.ulow, got.uhigh), 1;
  if (got.low_wide != low * wide || got.high_wide != high * wide || got.low_uwide != ulow * wide ||
      got.high_uwide != static_cast<unsigned long long>(static_cast<int>(uhigh) * wide))
    return std::printf("FAIL got %lld %lld %llu %llu\n", got.low_wide, got.high_wide, got.low_uwide,
                       got.high_uwide),
           1;
  std::puts("PASS");
}
