// Softmax of rows, one block a row: maximum, sum of exponentials, division.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float part[128];
  const float* row = in + blockIdx.x * columns;
  float high = -INFINITY, sum = 0;
  for (int c = threadIdx.x; c < columns; c += 128) high = fmaxf(high, row[c]);
  part[threadIdx.x] = high;
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + stride]);
  }
  __syncthreads();
  high = part[0];
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += 128) sum += expf(row[c] - high);
  part[threadIdx.x] = sum;
  for (int stride = 64; stride > 0; stride /= 2) {
    __syncthreads();
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
  }
  __syncthreads();
  for (int c = threadIdx.x; c < columns; c += 128)
    out[blockIdx.x * columns + c] = expf(row[c] - high) / part[0];
}

int main() {
  const int rows = 6, columns = 333;
  static float values[rows * columns], got[rows * columns];
  for (int i = 0; i < rows * columns; ++i) values[i] = (i * 37 % 101 - 50) * 0.2f + i / columns * 100;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  softmax<<<rows, 128>>>(in, out, columns);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    double sum = 0;
    for (int c = 0; c < columns; ++c) sum += std::exp(values[r * columns + c] - r * 100.0 - 10);
    for (int c = 0; c < columns; ++c) {
      double want = std::exp(values[r * columns + c] - r * 100.0 - 10) / sum;
      if (!(std::fabs(got[r * columns + c] - want) <= (want * 2e-5 + 1e-12)))
        return std::printf("FAIL [%d] got %.9g, wanted %.9g\n", c, double(got[r * columns + c]),
                           double(want)),
               1;
    }
  }
  std::puts("PASS");
}
