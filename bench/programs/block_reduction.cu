// Sum of 4 Mi elements: 2048 blocks of 256 threads stride over the array; warp shuffles, then shared memory,
// then one atomicAdd per block.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__global__ void block_reduction(const float* in, float* out, int n) {
  __shared__ float sums[32];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  if (lane == 0) sums[warp] = sum;
  __syncthreads();
  if (warp == 0) {
    sum = lane < blockDim.x / 32 ? sums[lane] : 0.0f;
    for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down_sync(0xffffffffu, sum, offset);
    if (lane == 0) atomicAdd(out, sum);
  }
}

int main() {
  const int n = 4 << 20;
  std::vector<float> in(n);
  double wanted = 0;
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<float>(i % 16);
    wanted += in[i];
  }
  float *din, *dout, got = 0;
  cudaMalloc(&din, n * sizeof(float));
  cudaMalloc(&dout, sizeof(float));
  cudaMemcpy(din, in.data(), n * sizeof(float), cudaMemcpyHostToDevice);
  for (int repeat = 0; repeat < 6; ++repeat) {
    cudaMemset(dout, 0, sizeof(float));
    block_reduction<<<2048, 256>>>(din, dout, n);
  }
  cudaMemcpy(&got, dout, sizeof(float), cudaMemcpyDeviceToHost);
  const bool right = cudaGetLastError() == cudaSuccess && std::fabs(got - wanted) < 1e-5 * wanted;
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
