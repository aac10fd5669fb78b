// The launch asks for one float per two threads.
#include <cstdio>

__global__ void stage(const float* in, float* out) {
  extern __shared__ float buffer[];
  const float value = in[threadIdx.x];
  buffer[threadIdx.x] = value;  // finds: out_of_bounds
  __syncthreads();
  out[threadIdx.x] = buffer[threadIdx.x / 2];
}

int main() {
  float *in, *out;
  cudaMalloc(&in, 128 * sizeof(float));
  cudaMalloc(&out, 128 * sizeof(float));
  cudaMemset(in, 0, 128 * sizeof(float));
  stage<<<1, 128, 64 * sizeof(float)>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
