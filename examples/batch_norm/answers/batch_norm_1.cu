#include <cstdio>
#include <vector>

std::vector<float> read_numbers(const char* path, size_t count) {
  std::vector<float> numbers(count);
  FILE* file = std::fopen(path, "rb");
  if (!file || std::fread(numbers.data(), sizeof(float), count, file) != count) std::perror(path);
  if (file) std::fclose(file);
  return numbers;
}

float* uploaded(const std::vector<float>& numbers) {
  float* device = nullptr;
  cudaMalloc(&device, numbers.size() * sizeof(float));
  cudaMemcpy(device, numbers.data(), numbers.size() * sizeof(float), cudaMemcpyHostToDevice);
  return device;
}

// Each thread owns a column: mean and variance are taken over the batch.
__global__ void batch_norm(const float* x, const float* parameters, float* y, int rows, int columns,
                           float eps) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float mean = 0, variance = 0;
  for (int row = 0; row < rows; ++row) mean += x[row * columns + column];
  mean /= rows;
  for (int row = 0; row < rows; ++row) {
    const float difference = x[row * columns + column] - mean;
    variance += difference * difference;
  }
  variance /= rows;
  const float scale = parameters[column] / sqrtf(variance + eps);
  for (int row = 0; row < rows; ++row) {
    const int i = row * columns + column;
    y[i] = scale * (x[i] - mean) + parameters[columns + column];
  }
}

int main() {
  const int rows = 512, columns = 256;
  std::vector<float> result(rows * columns);
  const float* x = uploaded(read_numbers("data/matA.bin", rows * columns));
  const float* parameters = uploaded(read_numbers("data/matB.bin", columns * columns));
  float* y = uploaded(result);
  batch_norm<<<2, 128>>>(x, parameters, y, rows, columns, 1e-5f);
  cudaMemcpy(result.data(), y, result.size() * sizeof(float), cudaMemcpyDeviceToHost);
  FILE* file = std::fopen("data/matC_out.bin", "wb");
  std::fwrite(result.data(), sizeof(float), result.size(), file);
  std::fclose(file);
}
