// An unsigned index wraps round to four billion instead of turning negative.
#include <cstdio>

__global__ void shift_left(const float* in, float* out, unsigned n, unsigned distance) {
  const unsigned i = threadIdx.x;
  if (i < n) {
    const unsigned to = i - distance;
    out[to] = in[i];  // finds: out_of_bounds
  }
}

int main() {
  const unsigned n = 64;
  float *in, *out;
  cudaMalloc(&in, n * sizeof(float));
  cudaMalloc(&out, n * sizeof(float));
  cudaMemset(in, 0, n * sizeof(float));
  shift_left<<<1, 64>>>(in, out, n, 4);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
