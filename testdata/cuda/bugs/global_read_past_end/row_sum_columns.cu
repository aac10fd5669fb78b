// A row sum that runs to the padded number of columns: only the last row leaves the matrix.
#include <cstdio>

__global__ void row_sums(const int* matrix, int* sums, int rows, int columns, int padded) {
  const int row = threadIdx.x;
  if (row >= rows) return;
  int sum = 0;
  for (int c = 0; c < padded; ++c) sum += matrix[row * columns + c];  // finds: out_of_bounds
  sums[row] = sum;
}

int main() {
  const int rows = 20, columns = 30;
  int *matrix, *sums;
  cudaMalloc(&matrix, rows * columns * sizeof(int));
  cudaMalloc(&sums, rows * sizeof(int));
  cudaMemset(matrix, 0, rows * columns * sizeof(int));
  row_sums<<<1, 32>>>(matrix, sums, rows, columns, 32);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
