// The global timer in inline PTX, with its register's name behind one percent sign: it never runs backward.
#include <cuda_runtime.h>

#include <cstdio>

__device__ __forceinline__ unsigned long long __globaltimer() {
  unsigned long long now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  return now;
}

__global__ void wait(unsigned long long nanoseconds, unsigned long long* passed) {
  const unsigned long long start = __globaltimer();
  unsigned long long now = start;
  while (now - start < nanoseconds) now = __globaltimer();
  *passed = now - start;
}

int main() {
  unsigned long long* passed;
  cudaMallocManaged(&passed, sizeof *passed);
  *passed = 0;
  wait<<<1, 1>>>(20000, passed);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL launch"), 1;
  if (*passed < 20000 || *passed > 60000000000ull) return std::printf("FAIL %llu ns\n", *passed), 1;
  std::puts("PASS");
}
