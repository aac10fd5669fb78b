// Matrix product 512 x 512 x 512 in tiles of 16 x 16 in shared memory: two barriers per tile.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr int kTile = 16;

__global__ void matrix_product(const float* a, const float* b, float* c, int n) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y;
  const int column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < n / kTile; ++t) {
    tile_a[threadIdx.y][threadIdx.x] = a[row * n + t * kTile + threadIdx.x];
    tile_b[threadIdx.y][threadIdx.x] = b[(t * kTile + threadIdx.y) * n + column];
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[threadIdx.y][k] * tile_b[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}

int main() {
  const int n = 512;
  std::vector<float> a(n * n), b(n * n), c(n * n);
  for (int i = 0; i < n * n; ++i) {
    a[i] = static_cast<float>((i * 7) % 13) - 6;
    b[i] = static_cast<float>((i * 5) % 11) - 5;
  }
  float *da, *db, *dc;
  cudaMalloc(&da, n * n * sizeof(float));
  cudaMalloc(&db, n * n * sizeof(float));
  cudaMalloc(&dc, n * n * sizeof(float));
  cudaMemcpy(da, a.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  cudaMemcpy(db, b.data(), n * n * sizeof(float), cudaMemcpyHostToDevice);
  const dim3 block(kTile, kTile), grid(n / kTile, n / kTile);
  for (int repeat = 0; repeat < 6; ++repeat) matrix_product<<<grid, block>>>(da, db, dc, n);
  cudaMemcpy(c.data(), dc, n * n * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  for (int i = 0; i < n; i += 37) {
    for (int j = 0; j < n; j += 11) {
      double sum = 0;
      for (int k = 0; k < n; ++k) sum += static_cast<double>(a[i * n + k]) * b[k * n + j];
      right = right && std::fabs(sum - c[i * n + j]) < 1e-2;
    }
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
