// __constant__ struct and an initialised table; cudaMemcpyToSymbol with an offset between two launches.
#include <cuda_runtime.h>

#include <cstdio>

struct Settings {
  int scale;
  double shift;
  short steps[3];
};

__constant__ Settings settings;
__constant__ int primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};

__global__ void apply(double* out) {
  out[threadIdx.x] = primes[threadIdx.x] * settings.scale + settings.shift + settings.steps[threadIdx.x % 3];
}

int main() {
  Settings host = {10, 0.5, {1, 2, 3}};
  int table[8] = {2, 3, 5, 7, 11, 13, 17, 19};
  double got[8] = {};
  double* out;
  cudaMalloc(&out, sizeof(got));
  for (int round = 0; round < 2; ++round) {
    cudaMemcpyToSymbol(settings, &host, sizeof(host));
    apply<<<1, 8>>>(out);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 8; ++i) {
      double want = table[i] * host.scale + host.shift + host.steps[i % 3];
      if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
    }
    int replacement[2] = {-100, -200};
    cudaMemcpyToSymbol(primes, replacement, sizeof(replacement), 3 * sizeof(int));
    table[3] = -100;
    table[4] = -200;
    host = {-3, 7.25, {40, 50, 60}};
  }
  std::puts("PASS");
}
