// Pairs of threads share a slot that each of them was meant to have alone.
#include <cstdio>

__global__ void stage(const float* in, float* out) {
  __shared__ float slots[32];
  const int t = threadIdx.x;
  slots[t / 2] = in[t] + t;  // finds: shared_race
  __syncthreads();
  out[t] = slots[t / 2];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 64 * sizeof(float));
  cudaMalloc(&out, 64 * sizeof(float));
  cudaMemset(in, 0, 64 * sizeof(float));
  stage<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
