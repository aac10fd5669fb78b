// Rows and columns of a wide matrix exchanged in the index: x steps by whole rows.
#include <cstdio>

__global__ void fill(int* matrix, int columns, int rows) {
  const int column = threadIdx.x, row = threadIdx.y;
  if (column < columns && row < rows) matrix[column * columns + row] = row;  // finds: out_of_bounds
}

int main() {
  const int columns = 32, rows = 8;
  int* matrix;
  cudaMalloc(&matrix, columns * rows * sizeof(int));
  fill<<<1, dim3(32, 8)>>>(matrix, columns, rows);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
