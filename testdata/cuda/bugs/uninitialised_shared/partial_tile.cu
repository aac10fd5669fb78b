// Threads beyond the end load nothing into the tile, and everybody sums the whole tile.
#include <cstdio>

__global__ void block_sum(const int* in, int* out, int n) {
  __shared__ int tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i < n) tile[threadIdx.x] = in[i];
  __syncthreads();
  int sum = 0;
  for (int k = 0; k < 64; ++k) sum += tile[k];  // finds: uninitialised_read
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

int main() {
  const int n = 100;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, 2 * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  block_sum<<<2, 64>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
