// A histogram in global memory without atomics.
#include <cstdio>

__global__ void count(const unsigned char* in, int* bins, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) bins[in[i]]++;  // finds: global_race
}

int main() {
  unsigned char* in;
  int* bins;
  unsigned char host[512];
  for (int i = 0; i < 512; ++i) host[i] = i % 5;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&bins, 256 * sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(bins, 0, 256 * sizeof(int));
  count<<<2, 256>>>(in, bins, 512);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
