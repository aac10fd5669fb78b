// A pitched image used as it should be, up to the last pixel of the last row; its padding stays without a
// value.
#include <cstdio>

__global__ void flip(const char* from, char* to, size_t pitch, int width, int height) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x >= width || y >= height) return;
  const float value = reinterpret_cast<const float*>(from + y * pitch)[x];
  reinterpret_cast<float*>(to + (height - 1 - y) * pitch)[width - 1 - x] = value;
}

int main() {
  const int width = 19, height = 7;
  float host[height][width], result[height][width];
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) host[y][x] = 100.0f * y + x;
  }
  char *from, *to;
  size_t pitch = 0, other_pitch = 0;
  cudaMallocPitch(&from, &pitch, sizeof(host[0]), height);
  cudaMallocPitch(&to, &other_pitch, sizeof(host[0]), height);
  cudaMemcpy2D(from, pitch, host, sizeof(host[0]), sizeof(host[0]), height, cudaMemcpyHostToDevice);
  flip<<<1, dim3(32, 8)>>>(from, to, pitch, width, height);
  cudaMemcpy2D(result, sizeof(host[0]), to, other_pitch, sizeof(host[0]), height, cudaMemcpyDeviceToHost);
  printf("%g %g\n", result[0][0], result[6][18]);
  return result[0][0] != 618.0f || result[6][18] != 0.0f;
}
