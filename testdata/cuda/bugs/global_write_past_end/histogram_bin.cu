// A value equal to the upper end of the range falls into a bin that does not exist; the addition is atomic.
#include <cstdio>

__global__ void histogram(const float* values, unsigned* bins, int n, int bin_count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int bin = static_cast<int>(values[i] * bin_count);
    atomicAdd(&bins[bin], 1u);  // finds: out_of_bounds
  }
}

int main() {
  const int n = 64, bin_count = 10;
  float host[n];
  for (int i = 0; i < n; ++i) host[i] = i / float(n - 1);
  float* values;
  unsigned* bins;
  cudaMalloc(&values, sizeof(host));
  cudaMalloc(&bins, bin_count * sizeof(unsigned));
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, bin_count * sizeof(unsigned));
  histogram<<<2, 32>>>(values, bins, n, bin_count);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
