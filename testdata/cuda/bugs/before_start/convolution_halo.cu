// A convolution over a padded image starts half a filter before the first pixel; the padding was never
// allocated.
#include <cstdio>

__global__ void blur(const float* image, float* out, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = -1; dy <= 0; ++dy) {
    const float* row = image + (y + dy) * width;
    sum += row[x];  // finds: out_of_bounds
  }
  out[y * width + x] = sum * 0.5f;
}

int main() {
  const int width = 16, height = 12;
  float *image, *out;
  cudaMalloc(&image, width * height * sizeof(float));
  cudaMalloc(&out, width * height * sizeof(float));
  cudaMemset(image, 0, width * height * sizeof(float));
  blur<<<1, dim3(16, 16)>>>(image, out, width, height);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
