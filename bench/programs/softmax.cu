// Softmax of 2048 rows of 1024 values, one block per row: maximum, exponentials, sum, all by warp shuffles.
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <vector>

__device__ float warp_max(float value) {
  for (int offset = 16; offset > 0; offset /= 2)
    value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
  return value;
}

__device__ float warp_sum(float value) {
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_xor_sync(0xffffffffu, value, offset);
  return value;
}

__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float parts[32];
  const float* row = in + blockIdx.x * columns;
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  float largest = -INFINITY;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) largest = fmaxf(largest, row[i]);
  largest = warp_max(largest);
  if (lane == 0) parts[warp] = largest;
  __syncthreads();
  largest = warp_max(lane < warps ? parts[lane] : -INFINITY);
  __syncthreads();
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += blockDim.x) sum += expf(row[i] - largest);
  sum = warp_sum(sum);
  if (lane == 0) parts[warp] = sum;
  __syncthreads();
  sum = warp_sum(lane < warps ? parts[lane] : 0.0f);
  for (int i = threadIdx.x; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = expf(row[i] - largest) / sum;
}

int main() {
  const int rows = 2048, columns = 1024;
  std::vector<float> in(rows * columns), out(rows * columns);
  for (int i = 0; i < rows * columns; ++i) in[i] = static_cast<float>((i * 37) % 201) / 20 - 5;
  float *din, *dout;
  cudaMalloc(&din, in.size() * sizeof(float));
  cudaMalloc(&dout, in.size() * sizeof(float));
  cudaMemcpy(din, in.data(), in.size() * sizeof(float), cudaMemcpyHostToDevice);
  for (int repeat = 0; repeat < 6; ++repeat) softmax<<<rows, 256>>>(din, dout, columns);
  cudaMemcpy(out.data(), dout, in.size() * sizeof(float), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  for (int r = 0; r < rows; r += 17) {
    double sum = 0;
    for (int i = 0; i < columns; ++i) sum += std::exp(static_cast<double>(in[r * columns + i]));
    for (int i = 0; i < columns; ++i) {
      const double wanted = std::exp(static_cast<double>(in[r * columns + i])) / sum;
      right = right && std::fabs(wanted - out[r * columns + i]) < 1e-6;
    }
  }
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
