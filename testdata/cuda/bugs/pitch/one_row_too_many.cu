// A pitched image walked by the right pitch over one row more than it has.
#include <cstdio>

__global__ void column_sum(const char* image, size_t pitch, int width, int height, int* sums) {
  const int x = threadIdx.x;
  if (x >= width) return;
  int sum = 0;
  for (int y = 0; y <= height; ++y) {
    const int* row = reinterpret_cast<const int*>(image + y * pitch);
    sum += row[x];  // finds: out_of_bounds
  }
  sums[x] = sum;
}

int main() {
  const int width = 24, height = 10;
  char* image;
  int* sums;
  size_t pitch = 0;
  cudaMallocPitch(&image, &pitch, width * sizeof(int), height);
  cudaMemset2D(image, pitch, 0, width * sizeof(int), height);
  cudaMalloc(&sums, width * sizeof(int));
  column_sum<<<1, 32>>>(image, pitch, width, height, sums);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
