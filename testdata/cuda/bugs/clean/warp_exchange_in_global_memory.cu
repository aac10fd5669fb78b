// Lanes exchange through global memory with __syncwarp between writing and reading.
#include <cstdio>

__global__ void butterfly(int* values) {
  int* mine = values + threadIdx.x / 32 * 32;
  const int lane = threadIdx.x % 32;
  for (int step = 1; step < 32; step *= 2) {
    const int sum = mine[lane] + mine[lane ^ step];
    __syncwarp();
    mine[lane] = sum;
    __syncwarp();
  }
}

int main() {
  int *values, host[64];
  for (int i = 0; i < 64; ++i) host[i] = i;
  cudaMalloc(&values, sizeof(host));
  cudaMemcpy(values, host, sizeof(host), cudaMemcpyHostToDevice);
  butterfly<<<1, 64>>>(values);
  cudaMemcpy(host, values, sizeof(host), cudaMemcpyDeviceToHost);
  printf("%d %d\n", host[0], host[63]);
  return host[0] != 496 || host[63] != 496 + 1024;
}
