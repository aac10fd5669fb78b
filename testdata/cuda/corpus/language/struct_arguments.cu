// Structs as kernel arguments: small, large, and changed by a thread without the others noticing.
#include <cuda_runtime.h>

#include <cstdio>

struct Small {
  char tag;
  short number;
};

struct Large {
  double weights[40];
  int count;
};

__global__ void compute(Small small, Large large, double* out) {
  large.weights[threadIdx.x % 40] += 1000;
  large.count += threadIdx.x;
  small.number = static_cast<short>(small.number - 1);
  double sum = 0;
  for (double weight : large.weights) sum += weight;
  out[threadIdx.x] = sum + large.count * 1e6 + small.tag + small.number;
}

int main() {
  Small small = {3, 50};
  Large large;
  double got[100] = {}, total = 0;
  for (int i = 0; i < 40; ++i) total += large.weights[i] = i * 0.25;
  large.count = 5;
  double* out;
  cudaMalloc(&out, sizeof(got));
  for (int round = 0; round < 2; ++round) {
    compute<<<1, 100>>>(small, large, out);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    for (int t = 0; t < 100; ++t)
      if (got[t] != total + 1000 + (5 + t) * 1e6 + 3 + 49)
        return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", t, got[t],
                           total + 1000 + (5 + t) * 1e6 + 3 + 49),
               1;
  }
  std::puts("PASS");
}
