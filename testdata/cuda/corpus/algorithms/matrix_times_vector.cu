// Matrix times vector, one warp a row, the vector read through float4.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void multiply(const float4* matrix, const float4* vector, float* out, int rows, int quads) {
  int row = blockIdx.x * 4 + threadIdx.x / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int q = lane; q < quads; q += 32) {
    float4 m = matrix[row * quads + q], v = vector[q];
    sum += m.x * v.x + m.y * v.y + m.z * v.z + m.w * v.w;
  }
  for (int offset = 16; offset > 0; offset >>= 1) sum += __shfl_down_sync(0xffffffffu, sum, offset);
  if (lane == 0) out[row] = sum;
}

int main() {
  const int rows = 30, columns = 200;
  static float matrix[rows * columns], vector[columns], got[rows];
  for (int i = 0; i < rows * columns; ++i) matrix[i] = i * 7 % 13 - 6;
  for (int i = 0; i < columns; ++i) vector[i] = i % 9 * 0.5f;
  float4* device_matrix;
  cudaMalloc(&device_matrix, sizeof(matrix));
  float4* device_vector;
  cudaMalloc(&device_vector, sizeof(vector));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(device_matrix, matrix, sizeof(matrix), cudaMemcpyHostToDevice);
  cudaMemcpy(device_vector, vector, sizeof(vector), cudaMemcpyHostToDevice);
  multiply<<<8, 128>>>(device_matrix, device_vector, out, rows, columns / 4);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int r = 0; r < rows; ++r) {
    float want = 0;
    for (int c = 0; c < columns; ++c) want += matrix[r * columns + c] * vector[c];
    if (got[r] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", r, got[r], want), 1;
  }
  std::puts("PASS");
}
