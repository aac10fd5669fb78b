// A tiled matrix product without the barrier at the end of the loop: tiles are overwritten while others still
// read.
#include <cstdio>

constexpr int kTile = 8, kSize = 32;

__global__ void multiply(const float* a, const float* b, float* c) {
  __shared__ float tile_a[kTile][kTile];
  __shared__ float tile_b[kTile][kTile];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * kTile + x, row = blockIdx.y * kTile + y;
  float sum = 0;
  for (int start = 0; start < kSize; start += kTile) {
    tile_a[y][x] = a[row * kSize + start + x];       // finds: shared_race
    tile_b[y][x] = b[(start + y) * kSize + column];  // or: shared_race
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += tile_a[y][k] * tile_b[k][x];  // or: shared_race
  }
  c[row * kSize + column] = sum;
}

int main() {
  float *a, *b, *c;
  const size_t bytes = kSize * kSize * sizeof(float);
  cudaMalloc(&a, bytes);
  cudaMalloc(&b, bytes);
  cudaMalloc(&c, bytes);
  cudaMemset(a, 0, bytes);
  cudaMemset(b, 0, bytes);
  multiply<<<dim3(kSize / kTile, kSize / kTile), dim3(kTile, kTile)>>>(a, b, c);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
