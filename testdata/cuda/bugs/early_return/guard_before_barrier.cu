// The usual guard at the top of a kernel that has a barrier further down.
#include <cstdio>

__global__ void halve(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float value = in[i] * 0.5f;
  __syncthreads();  // finds: early_return
  out[i] = value;
}

int main() {
  const int n = 200;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  halve<<<2, 128>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
