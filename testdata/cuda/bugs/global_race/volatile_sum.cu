// Volatile keeps the compiler from caching a number; it does not make reading and writing it one step.
#include <cstdio>

__global__ void sum(const float* in, volatile float* total, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) *total = *total + in[i];  // finds: global_race
}

int main() {
  float *in, *total, host[128];
  for (int i = 0; i < 128; ++i) host[i] = i * 0.25f;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&total, sizeof(float));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(float));
  sum<<<1, 32>>>(in, total, 128);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
