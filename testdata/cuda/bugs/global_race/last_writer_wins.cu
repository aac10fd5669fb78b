// Whoever writes last decides which of the matches is kept.
#include <cstdio>

__global__ void find(const int* in, int wanted, int* place) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] == wanted) *place = i;  // finds: global_race
}

int main() {
  int *in, *place, host[256];
  for (int i = 0; i < 256; ++i) host[i] = i % 100;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&place, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  find<<<4, 64>>>(in, 42, place);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
