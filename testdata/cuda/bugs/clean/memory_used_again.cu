// Freed memory comes back from the next cudaMalloc, often at the same address: the new owner may use it.
#include <cstdio>

__global__ void fill(int* data, int value) { data[threadIdx.x] = value; }

__global__ void add(const int* data, int* sum) { atomicAdd(sum, data[threadIdx.x]); }

int main() {
  int *sum, result = 0;
  cudaMalloc(&sum, sizeof(int));
  cudaMemset(sum, 0, sizeof(int));
  for (int round = 0; round < 20; ++round) {
    int* data;
    cudaMalloc(&data, (32 + round % 3) * sizeof(int));
    fill<<<1, 32>>>(data, round);
    add<<<1, 32>>>(data, sum);
    cudaFree(data);
  }
  cudaMemcpy(&result, sum, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 32 * 190;
}
