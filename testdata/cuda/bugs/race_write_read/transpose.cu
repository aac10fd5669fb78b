// A transposition through shared memory without the barrier between filling and reading the tile.
#include <cstdio>

__global__ void transpose(const float* in, float* out) {
  __shared__ float tile[16][17];
  const int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = in[y * 16 + x];   // finds: shared_race
  out[y * 16 + x] = tile[x][y];  // or: shared_race; may: uninitialised_read
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 256 * sizeof(float));
  cudaMemset(in, 0, 256 * sizeof(float));
  transpose<<<1, dim3(16, 16)>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
