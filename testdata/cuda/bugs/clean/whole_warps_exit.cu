// Whole warps leave early; those that stay use warp operations only, and no block-wide barrier follows.
#include <cstdio>

__global__ void row_sums(const int* matrix, int* sums, int rows) {
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  if (warp >= rows) return;
  int value = matrix[warp * 32 + lane];
  for (int d = 16; d > 0; d /= 2) value += __shfl_down_sync(0xffffffffu, value, d);
  if (lane == 0) sums[warp] = value;
}

int main() {
  const int rows = 5;
  int host[rows * 32], result[rows];
  for (int i = 0; i < rows * 32; ++i) host[i] = i / 32;
  int *matrix, *sums;
  cudaMalloc(&matrix, sizeof(host));
  cudaMalloc(&sums, sizeof(result));
  cudaMemcpy(matrix, host, sizeof(host), cudaMemcpyHostToDevice);
  row_sums<<<1, 256>>>(matrix, sums, rows);
  cudaMemcpy(result, sums, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[1], result[4]);
  return result[1] != 32 || result[4] != 128;
}
