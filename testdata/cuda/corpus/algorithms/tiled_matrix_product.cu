// Matrix product through tiles in shared memory, sizes that are no multiple of the tile.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void multiply(const float* a, const float* b, float* c, int rows, int inner, int columns) {
  __shared__ float left[16][16], right[16][16];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int start = 0; start < inner; start += 16) {
    int k = start + threadIdx.x, l = start + threadIdx.y;
    left[threadIdx.y][threadIdx.x] = row < rows && k < inner ? a[row * inner + k] : 0.0f;
    right[threadIdx.y][threadIdx.x] = l < inner && column < columns ? b[l * columns + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  if (row < rows && column < columns) c[row * columns + column] = sum;
}

int main() {
  const int rows = 70, inner = 45, columns = 53;
  static float a[rows * inner], b[inner * columns], got[rows * columns];
  for (int i = 0; i < rows * inner; ++i) a[i] = i % 7 - 3;
  for (int i = 0; i < inner * columns; ++i) b[i] = i % 5 - 1;
  float* device_a;
  cudaMalloc(&device_a, sizeof(a));
  float* device_b;
  cudaMalloc(&device_b, sizeof(b));
  float* c;
  cudaMalloc(&c, sizeof(got));
  cudaMemcpy(device_a, a, sizeof(a), cudaMemcpyHostToDevice);
  cudaMemcpy(device_b, b, sizeof(b), cudaMemcpyHostToDevice);
  multiply<<<dim3(4, 5), dim3(16, 16)>>>(device_a, device_b, c, rows, inner, columns);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, c, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < rows * columns; ++i) {
    float want = 0;  // small whole numbers: exact in any order
    for (int k = 0; k < inner; ++k) want += a[i / columns * inner + k] * b[k * columns + i % columns];
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
