// Histogram of 16 Mi bytes: atomics on shared counters, then on global ones.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

__global__ void histogram(const unsigned char* in, unsigned* counts, int n) {
  __shared__ unsigned local[256];
  local[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&local[in[i]], 1u);
  __syncthreads();
  atomicAdd(&counts[threadIdx.x], local[threadIdx.x]);
}

int main() {
  const int n = 16 << 20;
  std::vector<unsigned char> in(n);
  std::vector<unsigned> wanted(256), got(256);
  unsigned state = 1;
  for (int i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    in[i] = static_cast<unsigned char>(state >> 24);
    ++wanted[in[i]];
  }
  unsigned char* din;
  unsigned* dcounts;
  cudaMalloc(&din, n);
  cudaMalloc(&dcounts, 256 * sizeof(unsigned));
  cudaMemcpy(din, in.data(), n, cudaMemcpyHostToDevice);
  for (int repeat = 0; repeat < 6; ++repeat) {
    cudaMemset(dcounts, 0, 256 * sizeof(unsigned));
    histogram<<<512, 256>>>(din, dcounts, n);
  }
  cudaMemcpy(got.data(), dcounts, 256 * sizeof(unsigned), cudaMemcpyDeviceToHost);
  const bool right = cudaGetLastError() == cudaSuccess && got == wanted;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
