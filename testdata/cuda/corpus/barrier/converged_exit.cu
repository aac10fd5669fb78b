// A loop that all threads leave together once __syncthreads_or says nobody has work left.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void collatz(unsigned* steps, int* rounds) {
  unsigned value = threadIdx.x + 1, mine = 0;
  int round = 0;
  while (__syncthreads_or(value != 1)) {
    if (value != 1) {
      value = value % 2 ? 3 * value + 1 : value / 2;
      ++mine;
    }
    ++round;
  }
  steps[threadIdx.x] = mine;
  if (threadIdx.x == 0) *rounds = round;
}

int main() {
  unsigned got[100] = {}, most = 0;
  int rounds_done = 0;
  unsigned* steps;
  cudaMalloc(&steps, sizeof(got));
  int* rounds;
  cudaMalloc(&rounds, sizeof(int));
  collatz<<<1, 100>>>(steps, rounds);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, steps, sizeof(got), cudaMemcpyDeviceToHost);
  cudaMemcpy(&rounds_done, rounds, sizeof(rounds_done), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 100; ++i) {
    unsigned want = 0;
    for (unsigned v = i + 1; v != 1; v = v % 2 ? 3 * v + 1 : v / 2) ++want;
    if (got[i] != want) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], want), 1;
    if (want > most) most = want;
  }
  if (rounds_done != int(most)) return std::printf("FAIL %d rounds, wanted %u\n", rounds_done, most), 1;
  std::puts("PASS");
}
