// Layer normalisation: one warp a row, mean and variance by shuffles, scale and shift.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void normalise(const float* in, const float* gain, const float* bias, float* out, int columns) {
  int row = blockIdx.x * blockDim.y + threadIdx.y, lane = threadIdx.x;
  const float* from = in + row * columns;
  float sum = 0, squares = 0;
  for (int c = lane; c < columns; c += 32) sum += from[c];
  for (int mask = 16; mask > 0; mask /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, mask);
  float mean = sum / columns;
  for (int c = lane; c < columns; c += 32) squares += (from[c] - mean) * (from[c] - mean);
  for (int mask = 16; mask > 0; mask /= 2) squares += __shfl_xor_sync(0xffffffffu, squares, mask);
  float scale = rsqrtf(squares / columns + 1e-5f);
  for (int c = lane; c < columns; c += 32)
    out[row * columns + c] = (from[c] - mean) * scale * gain[c] + bias[c];
}

int main() {
  const int rows = 12, columns = 75;
  static float values[rows * columns], gain[columns], bias[columns], got[rows * columns];
  for (int i = 0; i < rows * columns; ++i) values[i] = i * 29 % 64 * 0.125f - i / columns;
  for (int i = 0; i < columns; ++i) gain[i] = 1 + i % 4, bias[i] = i % 3 - 1;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* device_gain;
  cudaMalloc(&device_gain, sizeof(gain));
  float* device_bias;
  cudaMalloc(&device_bias, sizeof(bias));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemcpy(device_gain, gain, sizeof(gain), cudaMemcpyHostToDevice);
  cudaMemcpy(device_bias, bias, sizeof(bias), cudaMemcpyHostToDevice);
  normalise<<<3, dim3(32, 4)>>>(in, device_gain, device_bias, out, columns);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    double mean = 0, variance = 0;
    for (int c = 0; c < columns; ++c) mean += values[r * columns + c] / double(columns);
    for (int c = 0; c < columns; ++c) variance += std::pow(values[r * columns + c] - mean, 2) / columns;
    for (int c = 0; c < columns; ++c) {
      double want = (values[r * columns + c] - mean) / std::sqrt(variance + 1e-5) * gain[c] + bias[c];
      if (!(std::fabs(got[r * columns + c] - want) <= 1e-4))
        return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", c, double(got[r * columns + c]),
                           double(want)),
               1;
    }
  }
  std::puts("PASS");
}
