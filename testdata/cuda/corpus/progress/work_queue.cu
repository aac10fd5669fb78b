// Persistent blocks draw tasks from a queue by atomics until it is empty; tasks add new ones.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void work(int* queue, unsigned* head, unsigned* tail, unsigned* unfinished, int* done) {
  while (atomicAdd(unfinished, 0u) != 0) {
    unsigned mine = atomicAdd(head, 0u);
    if (mine >= atomicAdd(tail, 0u) || atomicCAS(head, mine, mine + 1) != mine) continue;
    int task;
    while ((task = atomicAdd(&queue[mine], 0)) == 0) {
    }
    if (2 * task + 1 < 500) {
      atomicAdd(unfinished, 2u);
      unsigned place = atomicAdd(tail, 2u);
      atomicExch(&queue[place], 2 * task);
      atomicExch(&queue[place + 1], 2 * task + 1);
    }
    atomicAdd(&done[task], 1);
    atomicSub(unfinished, 1u);
  }
}

int main() {
  int queue[512] = {1}, got[500] = {};
  unsigned state[3] = {0, 1, 1};
  int* device_queue;
  cudaMalloc(&device_queue, sizeof(queue));
  int* done;
  cudaMalloc(&done, sizeof(got));
  unsigned* device_state;
  cudaMalloc(&device_state, sizeof(state));
  cudaMemcpy(device_queue, queue, sizeof(queue), cudaMemcpyHostToDevice);
  cudaMemcpy(device_state, state, sizeof(state), cudaMemcpyHostToDevice);
  cudaMemset(done, 0, sizeof(got));
  work<<<6, 1>>>(device_queue, device_state, device_state + 1, device_state + 2, done);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, done, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 1; i < 500; ++i)
    if (got[i] != 1) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 1), 1;
  std::puts("PASS");
}
