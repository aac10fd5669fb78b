// All blocks add to one number by reading and writing it.
#include <cstdio>

__global__ void sum(const int* in, int* total) {
  if (threadIdx.x == 0) *total += in[blockIdx.x];  // finds: global_race
}

int main() {
  int *in, *total, host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  sum<<<8, 32>>>(in, total);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
