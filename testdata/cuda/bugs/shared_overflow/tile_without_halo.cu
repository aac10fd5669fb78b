// A stencil's tile lacks room for its halo: the last thread writes behind the array.
#include <cstdio>

__global__ void average(const float* in, float* out, int n) {
  __shared__ float tile[64 + 1];
  const int t = threadIdx.x;
  if (t < n) tile[t + 1] = in[t];
  if (t == 0) tile[0] = 0.0f;
  if (t == 63) tile[t + 2] = 0.0f;  // finds: out_of_bounds
  __syncthreads();
  out[t] = tile[t] + tile[t + 1];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  average<<<1, 64>>>(in, out, 64);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
