// Two buffers swap roles each round; after the loop the wrong one is freed.
#include <cstdio>
#include <utility>

__global__ void step(const float* from, float* to, int n) {
  const int i = threadIdx.x;
  if (i < n) to[i] = from[i] * 0.5f;
}

__global__ void finish(const float* result, float* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = result[i];  // finds: use_after_free
}

int main() {
  const int n = 96;
  float *from, *to, *out;
  cudaMalloc(&from, n * sizeof(float));
  cudaMalloc(&to, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(from, 0, n * sizeof(float));
  for (int round = 0; round < 3; ++round) {
    step<<<1, n>>>(from, to, n);
    std::swap(from, to);
  }
  cudaFree(from);
  finish<<<1, n>>>(from, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
