// cudaStreamWaitEvent orders work of two streams: each round needs what the other stream left.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add(int* cell, int by) { *cell = *cell * 3 + by; }

int main() {
  cudaStream_t first, second;
  cudaEvent_t ready, back;
  cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&second, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&ready, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&back, cudaEventDisableTiming);
  int got = 0, want = 0;
  int* cell;
  cudaMalloc(&cell, sizeof(int));
  cudaMemset(cell, 0, sizeof(int));
  cudaDeviceSynchronize();
  for (int round = 0; round < 8; ++round) {
    add<<<1, 1, 0, first>>>(cell, 1);
    cudaEventRecord(ready, first);
    cudaStreamWaitEvent(second, ready, 0);
    add<<<1, 1, 0, second>>>(cell, round);
    cudaEventRecord(back, second);
    cudaStreamWaitEvent(first, back, 0);
    want = (want * 3 + 1) * 3 + round;
  }
  if (cudaStreamSynchronize(first) != cudaSuccess || cudaStreamSynchronize(second) != cudaSuccess)
    return std::puts("FAIL stream"), 1;
  cudaMemcpy(&got, cell, sizeof(got), cudaMemcpyDeviceToHost);
  if (got != want) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, got, want), 1;
  if (cudaEventQuery(back) != cudaSuccess || cudaStreamQuery(first) != cudaSuccess)
    return std::puts("FAIL query"), 1;
  std::puts("PASS");
}
