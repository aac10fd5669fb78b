// Rows of an odd number of ints read in pairs: every second row starts off an 8-byte boundary.
#include <cstdio>

__global__ void sum_pairs(const int* matrix, int* sums, int columns) {
  const int row = blockIdx.x;
  const int2* pairs = reinterpret_cast<const int2*>(matrix + row * columns);
  const int2 pair = pairs[threadIdx.x];  // finds: misaligned
  atomicAdd(&sums[row], pair.x + pair.y);
}

int main() {
  const int rows = 4, columns = 33;
  int *matrix, *sums;
  cudaMalloc(&matrix, rows * columns * sizeof(int));
  cudaMalloc(&sums, rows * sizeof(int));
  cudaMemset(matrix, 0, rows * columns * sizeof(int));
  cudaMemset(sums, 0, rows * sizeof(int));
  sum_pairs<<<rows, 16>>>(matrix, sums, columns);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
