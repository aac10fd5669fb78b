// Monte Carlo count of points in a circle with the program's own generator: exact agreement with the host.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__host__ __device__ unsigned draw(unsigned long long& state) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<unsigned>(state >> 33);
}

__host__ __device__ int hits(unsigned thread, int rounds) {
  unsigned long long state = thread * 7919ull + 17;
  int inside = 0;
  for (int i = 0; i < rounds; ++i) {
    unsigned long long x = draw(state) >> 1, y = draw(state) >> 1;
    inside += x * x + y * y < (1ull << 60);
  }
  return inside;
}

__global__ void sample(int rounds, int* total) {
  atomicAdd(total, hits(blockIdx.x * blockDim.x + threadIdx.x, rounds));
}

int main() {
  int got = 0, want = 0;
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemset(total, 0, sizeof(int));
  sample<<<16, 64>>>(100, total);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&got, total, sizeof(got), cudaMemcpyDeviceToHost);
  for (unsigned t = 0; t < 1024; ++t) want += hits(t, 100);
  if (got != want) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, got, want), 1;
  if (!(std::fabs(got * 4.0 / 102400 - 3.14159) <= 0.03))
    return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", 1, double(got * 4.0 / 102400), double(3.14159)),
           1;
  std::puts("PASS");
}
