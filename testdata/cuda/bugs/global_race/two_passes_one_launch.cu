// __syncthreads() waits for the block; the sums of the other blocks may not be there.
#include <cstdio>

__global__ void normalize(const float* in, float* sums, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    float sum = 0;
    for (unsigned k = 0; k < blockDim.x; ++k) sum += in[blockIdx.x * blockDim.x + k];
    sums[blockIdx.x] = sum;  // or: global_race
  }
  __syncthreads();
  float all = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) all += sums[b];  // finds: global_race; may: uninitialised_read
  out[i] = in[i] / all;
}

int main() {
  float *in, *sums, *out, host[128];
  for (int i = 0; i < 128; ++i) host[i] = 1.0f + i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&sums, 4 * sizeof(float));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  normalize<<<4, 32>>>(in, sums, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
