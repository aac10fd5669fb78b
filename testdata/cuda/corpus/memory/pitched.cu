// cudaMallocPitch, cudaMemcpy2D with different pitches, cudaMemset2D.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scale(char* base, size_t pitch, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float* row = reinterpret_cast<float*>(base + y * pitch);
  row[x] = row[x] * 2 + y;
}

int main() {
  const int width = 37, height = 11;
  float host[height][width], got[height][width + 3] = {};
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) host[y][x] = x * 0.5f - y;
  char* base;
  size_t pitch = 0;
  cudaMallocPitch(&base, &pitch, width * sizeof(float), height);
  if (pitch < width * sizeof(float) || pitch % 32) return std::printf("FAIL pitch %zu\n", pitch), 1;
  cudaMemcpy2D(base, pitch, host, width * sizeof(float), width * sizeof(float), height,
               cudaMemcpyHostToDevice);
  cudaMemset2D(base + 3 * pitch, pitch, 0, 5 * sizeof(float), 2);
  scale<<<dim3(3, 2), dim3(16, 8)>>>(base, pitch, width, height);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy2D(got, (width + 3) * sizeof(float), base, pitch, width * sizeof(float), height,
               cudaMemcpyDeviceToHost);
  for (int i = 0; i < width * height; ++i) {
    int x = i % width, y = i / width;
    bool cleared = (y == 3 || y == 4) && x < 5;
    float want = (cleared ? 0 : host[y][x]) * 2 + y;
    if (got[y][x] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[y][x], want), 1;
  }
  if (got[0][width] != 0 || got[5][width + 2] != 0)
    return std::puts("FAIL the gap of the rows was written"), 1;
  std::puts("PASS");
}
