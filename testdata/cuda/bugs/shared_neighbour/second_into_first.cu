// A negative offset from one array reaches the other, whichever of them comes first in memory.
#include <cstdio>

__global__ void lag(const float* in, float* out, int distance) {
  __shared__ float low[64];
  __shared__ float high[64];
  const int t = threadIdx.x;
  low[t] = in[t];
  high[t] = in[t + 64];
  __syncthreads();
  const float a = low[t - distance + 1];
  const float b = high[t - distance];  // finds: out_of_bounds
  out[t] = a + b;
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 128 * sizeof(float));
  lag<<<1, 64>>>(in, out, 1);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
