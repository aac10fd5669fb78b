// Pointers that loops of unknown length move on by a constant, forward and backward.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kRows = 8, kColumns = 48;

// A causal and an anticausal recursion along each column, in place.
__global__ void filter(int* image, int rows) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  int* line = image + column;
  int before = *line;
  for (int row = 1; row < rows; ++row) {
    line += kColumns;
    *line = before = *line + 2 * before;
  }
  *line = before = -before;
  for (int row = rows - 2; row >= 0; --row) {
    line -= kColumns;
    *line = before = 3 * before - *line;
  }
}

int main() {
  static int got[kRows * kColumns], want[kRows * kColumns];
  for (int i = 0; i < kRows * kColumns; ++i) got[i] = want[i] = i * 7 % 11 - 5;
  for (int column = 0; column < kColumns; ++column) {
    int* at = want + column;
    for (int row = 1; row < kRows; ++row) at[row * kColumns] += 2 * at[(row - 1) * kColumns];
    at[(kRows - 1) * kColumns] *= -1;
    for (int row = kRows - 2; row >= 0; --row)
      at[row * kColumns] = 3 * at[(row + 1) * kColumns] - at[row * kColumns];
  }
  int* image;
  cudaMalloc(&image, sizeof got);
  cudaMemcpy(image, got, sizeof got, cudaMemcpyHostToDevice);
  filter<<<3, kColumns / 3>>>(image, kRows);
  cudaMemcpy(got, image, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i < kRows * kColumns; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
