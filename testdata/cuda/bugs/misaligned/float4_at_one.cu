// A float4 load from a pointer moved by one float.
#include <cstdio>

__global__ void load(const float* in, float4* out) {
  const float* start = in + 1;
  out[threadIdx.x] = reinterpret_cast<const float4*>(start)[threadIdx.x];  // finds: misaligned
}

int main() {
  float* in;
  float4* out;
  cudaMalloc(&in, 256 * sizeof(float));
  cudaMalloc(&out, 32 * sizeof(float4));
  cudaMemset(in, 0, 256 * sizeof(float));
  load<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
