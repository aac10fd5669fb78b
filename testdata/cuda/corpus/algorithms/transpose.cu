// Transpose through a padded tile, each thread handling four rows, edges that are not full tiles.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void transpose(const double* in, double* out, int width, int height) {
  __shared__ double tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < width && y + j < height) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8)
    if (x < height && y + j < width) out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int width = 75, height = 50;
  static double values[width * height], got[width * height];
  for (int i = 0; i < width * height; ++i) values[i] = i + 0.5;
  double* in;
  cudaMalloc(&in, sizeof(values));
  double* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  transpose<<<dim3(3, 2), dim3(32, 8)>>>(in, out, width, height);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < width * height; ++i)
    if (got[i] != values[i % height * width + i / height])
      return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], values[i % height * width + i / height]),
             1;
  std::puts("PASS");
}
