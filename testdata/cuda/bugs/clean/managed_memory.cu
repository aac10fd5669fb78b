// Managed memory and a managed variable, written and read by host and device in turns.
#include <cstdio>

__managed__ int calls = 5;

__global__ void increment(int* data) {
  data[threadIdx.x] += 1;
  if (threadIdx.x == 0) calls += 1;
}

int main() {
  int* data;
  cudaMallocManaged(&data, 32 * sizeof(int));
  for (int i = 0; i < 32; ++i) data[i] = i;
  increment<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  data[0] = 100;
  calls *= 2;
  increment<<<1, 32>>>(data);
  cudaDeviceSynchronize();
  printf("%d %d %d\n", data[0], data[31], calls);
  return data[0] != 101 || data[31] != 33 || calls != 13;
}
