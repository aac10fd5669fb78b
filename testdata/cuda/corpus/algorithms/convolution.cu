// Two-dimensional convolution with a filter in constant memory, borders clamped.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float filter[5][5];

__global__ void convolve(const float* in, float* out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx) {
      int sx = min(max(x + dx, 0), width - 1), sy = min(max(y + dy, 0), height - 1);
      sum += filter[dy + 2][dx + 2] * in[sy * width + sx];
    }
  out[y * width + x] = sum;
}

int main() {
  const int width = 45, height = 30;
  static float image[width * height], got[width * height];
  float weights[5][5];
  for (int i = 0; i < 25; ++i) weights[i / 5][i % 5] = (i * 3 % 7 - 3) * 0.25f;
  for (int i = 0; i < width * height; ++i) image[i] = i * 11 % 256;
  cudaMemcpyToSymbol(filter, weights, sizeof(weights));
  float* in;
  cudaMalloc(&in, sizeof(image));
  float* out;
  cudaMalloc(&out, sizeof(image));
  cudaMemcpy(in, image, sizeof(image), cudaMemcpyHostToDevice);
  convolve<<<dim3(3, 4), dim3(16, 8)>>>(in, out, width, height);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < width * height; ++i) {
    float want = 0;
    for (int k = 0; k < 25; ++k) {
      int x = i % width + k % 5 - 2, y = i / width + k / 5 - 2;
      x = x < 0 ? 0 : x >= width ? width - 1 : x;
      y = y < 0 ? 0 : y >= height ? height - 1 : y;
      want += weights[k / 5][k % 5] * image[y * width + x];
    }
    if (got[i] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
