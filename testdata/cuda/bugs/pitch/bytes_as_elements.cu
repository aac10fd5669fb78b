// The pitch counts bytes; the kernel multiplies it by rows of floats.
#include <cstdio>
#include <vector>

__global__ void invert(float* image, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < width && y < height) image[y * pitch + x] = 1.0f;  // finds: out_of_bounds
}

int main() {
  const int width = 20, height = 16;
  float* image;
  size_t pitch = 0;
  cudaMallocPitch(&image, &pitch, width * sizeof(float), height);
  invert<<<1, dim3(32, 16)>>>(image, pitch, width, height);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
