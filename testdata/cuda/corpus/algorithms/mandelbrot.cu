// Mandelbrot set in fixed-point integers: divergent loops, exact agreement with the host.
#include <cuda_runtime.h>

#include <cstdio>

__host__ __device__ int escape(int px, int py) {
  const long long one = 1 << 20;
  long long cx = (px - 60) * one / 30, cy = (py - 30) * one / 25, x = 0, y = 0;
  int n = 0;
  for (; n < 200; ++n) {
    long long xx = x * x / one, yy = y * y / one;
    if (xx + yy > 4 * one) break;
    y = 2 * x * y / one + cy;
    x = xx - yy + cx;
  }
  return n;
}

__global__ void render(unsigned char* image, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) image[y * width + x] = static_cast<unsigned char>(escape(x, y));
}

int main() {
  const int width = 90, height = 61;
  static unsigned char got[width * height];
  unsigned char* image;
  cudaMalloc(&image, sizeof(got));
  render<<<dim3(6, 8), dim3(16, 8)>>>(image, width, height);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, image, sizeof(got), cudaMemcpyDeviceToHost);
  int full = 0;
  for (int i = 0; i < width * height; ++i) {
    if (got[i] != escape(i % width, i / width))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], escape(i % width, i / width)), 1;
    full += got[i] == 200;
  }
  if (full < 500 || full > 3000) return std::printf("FAIL %d points inside\n", full), 1;
  std::puts("PASS");
}
