// Sparse matrix (CSR) times vector: rows of very different lengths, some empty.
#include <cuda_runtime.h>
#include <algorithm>
#include <vector>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void multiply(const int* starts, const int* columns, const double* values, const double* x,
                         double* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  double sum = 0;
  for (int k = starts[row]; k < starts[row + 1]; ++k) sum += values[k] * x[columns[k]];
  y[row] = sum;
}

int main() {
  const int rows = 150;
  std::vector<int> starts(1, 0), columns;
  std::vector<double> values, x(rows), want(rows, 0.0), got(rows, -1.0);
  for (int i = 0; i < rows; ++i) x[i] = i * 0.5 - 20;
  for (int r = 0; r < rows; ++r) {
    for (int k = 0; k < r * r % 23; ++k) {
      columns.push_back((r * 31 + k * 7) % rows);
      values.push_back(k - r % 5);
      want[r] += values.back() * x[columns.back()];
    }
    starts.push_back(static_cast<int>(columns.size()));
  }
  int* device_starts;
  cudaMallocManaged(&device_starts, starts.size() * 4);
  int* device_columns;
  cudaMallocManaged(&device_columns, columns.size() * 4);
  double* device_values;
  cudaMallocManaged(&device_values, values.size() * 8);
  double* device_x;
  cudaMallocManaged(&device_x, rows * 8);
  double* y;
  cudaMallocManaged(&y, rows * 8);
  std::copy(starts.begin(), starts.end(), device_starts);
  std::copy(columns.begin(), columns.end(), device_columns);
  std::copy(values.begin(), values.end(), device_values);
  std::copy(x.begin(), x.end(), device_x);
  multiply<<<3, 64>>>(device_starts, device_columns, device_values, device_x, y, rows);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int r = 0; r < rows; ++r)
    if (y[r] != want[r]) return std::printf("FAIL [%d] got %g, wanted %g\n", r, y[r], want[r]), 1;
  std::puts("PASS");
}
