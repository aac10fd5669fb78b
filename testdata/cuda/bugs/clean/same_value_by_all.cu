// Every block stores the same result in the same place.
#include <cstdio>

__global__ void count(const int* in, int n, int* total, int* found) {
  int sum = 0;
  for (int i = 0; i < n; ++i) sum += in[i];
  *total = sum;
  if (in[threadIdx.x] == 3) *found = 1;
}

int main() {
  int *in, *total, *found, host[32], result[2];
  for (int i = 0; i < 32; ++i) host[i] = i % 8;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&total, sizeof(int));
  cudaMalloc(&found, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(found, 0, sizeof(int));
  count<<<4, 32>>>(in, 32, total, found);
  cudaMemcpy(&result[0], total, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(&result[1], found, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[1]);
  return result[0] != 112 || result[1] != 1;
}
