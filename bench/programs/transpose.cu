// Transpose of 2048 x 2048 values through shared tiles of 32 x 33.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kTile = 32;
constexpr int kRows = 8;

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[kTile][kTile + 1];
  int x = blockIdx.x * kTile + threadIdx.x;
  int y = blockIdx.y * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * kTile + threadIdx.x;
  y = blockIdx.x * kTile + threadIdx.y;
  for (int j = 0; j < kTile; j += kRows) out[(y + j) * n + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int n = 2048;
  std::vector<float> in(n * n), out(n * n);
  for (int i = 0; i < n * n; ++i) in[i] = static_cast<float>(i);
  float *din, *dout;
  cudaMalloc(&din, n * n * sizeof(float));
  cudaMalloc(&dout, n * n * sizeof(float));
  cudaMemcpy(din, in.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(kTile, kRows), grid(n / kTile, n / kTile);
  for (int repeat = 0; repeat < 6; ++repeat) transpose<<<grid, block>>>(din, dout, n);
  cudaMemcpy(out.data(), dout, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) right = right && out[y * n + x] == in[x * n + y];
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
