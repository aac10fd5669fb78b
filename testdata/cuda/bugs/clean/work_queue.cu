// Blocks take tasks from a counter until there are none left; a task belongs to one block.
#include <cstdio>

__device__ int next_task;

__global__ void work(int* cells, int tasks) {
  __shared__ int task;
  while (true) {
    __syncthreads();
    if (threadIdx.x == 0) task = atomicAdd(&next_task, 1);
    __syncthreads();
    if (task >= tasks) return;
    const int i = task * blockDim.x + threadIdx.x;
    cells[i] = cells[i] * 2 + task;
  }
}

int main() {
  int *cells, host[320];
  for (int i = 0; i < 320; ++i) host[i] = i;
  cudaMalloc(&cells, sizeof(host));
  cudaMemcpy(cells, host, sizeof(host), cudaMemcpyHostToDevice);
  work<<<3, 32>>>(cells, 10);
  cudaMemcpy(host, cells, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 320; ++i)
    if (host[i] != 2 * i + i / 32) return 1;
  printf("right\n");
  return 0;
}
