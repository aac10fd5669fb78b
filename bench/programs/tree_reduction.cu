// Sum of 4 Mi elements by a tree in shared memory: a barrier per level, half of the threads idle after each.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void tree_reduction(const float* in, float* partial, int n) {
  extern __shared__ float sums[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  sums[threadIdx.x] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (int width = blockDim.x / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) sums[threadIdx.x] += sums[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = sums[0];
}

int main() {
  const int n = 4 << 20, block = 256, blocks = n / block;
  std::vector<float> in(n), partial(blocks);
  double wanted = 0, got = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i % 16);
    wanted += in[i];
  }
  float *din, *dpartial;
  cudaMalloc(&din, n * sizeof(float));
  cudaMalloc(&dpartial, blocks * sizeof(float));
  cudaMemcpy(din, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int repeat = 0; repeat < 6; ++repeat) {
    tree_reduction<<<blocks, block, block * sizeof(float)>>>(din, dpartial, n);
  }
  cudaMemcpy(partial.data(), dpartial, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  for (float value : partial) got += value;
  const bool right = cudaGetLastError() == cudaSuccess && got == wanted;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
