// A filter in constant memory with five taps, applied with seven.
#include <cstdio>

__constant__ float taps[5];

__global__ void convolve(const float* in, float* out, int n, int tap_count) {
  const int i = threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int t = 0; t < tap_count; ++t) {
    const float weight = taps[t];  // finds: out_of_bounds
    sum += weight * in[i];
  }
  out[i] = sum;
}

int main() {
  const float host[5] = {1, 2, 3, 2, 1};
  float *in, *out;
  cudaMemcpyToSymbol(taps, host, sizeof(host));
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  convolve<<<1, 64>>>(in, out, 64, 7);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
