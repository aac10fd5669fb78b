// clock, clock64 and __nanosleep: time only goes forward, and work takes some.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void measure(long long* out) {
  long long start = clock64();
  clock_t coarse = clock();
  unsigned value = threadIdx.x;
  for (int i = 0; i < 2000; ++i) value = value * 1664525u + 1013904223u;
  __nanosleep(100);
  long long end = clock64();
  out[threadIdx.x * 3] = end - start;
  out[threadIdx.x * 3 + 1] = value;
  out[threadIdx.x * 3 + 2] = clock() != coarse;
}

int main() {
  long long got[96] = {};
  long long* out;
  cudaMalloc(&out, sizeof(got));
  measure<<<1, 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) {
    unsigned value = t;
    for (int i = 0; i < 2000; ++i) value = value * 1664525u + 1013904223u;
    if (got[t * 3] <= 0) return std::printf("FAIL thread %d took %lld\n", t, got[t * 3]), 1;
    if (got[t * 3 + 1] != static_cast<long long>(value))
      return std::printf("FAIL [%d] got %lld, wanted %lld\n", t, got[t * 3 + 1],
                         static_cast<long long>(value)),
             1;
    if (got[t * 3 + 2] != 1LL)
      return std::printf("FAIL [%d] got %lld, wanted %lld\n", t, got[t * 3 + 2], 1LL), 1;
  }
  std::puts("PASS");
}
