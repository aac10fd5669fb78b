// __managed__ variables: read and written by host and device in turn.
#include <cuda_runtime.h>

#include <cstdio>

struct Totals {
  double sum;
  int rounds;
};

__managed__ int cells[64];
__managed__ Totals totals = {0.25, 5};
__managed__ int* link;

__global__ void advance() { cells[threadIdx.x] = cells[threadIdx.x] * 2 + 1; }

__global__ void sum_up() {
  for (int i = 0; i < 64; ++i) totals.sum += cells[i];
  ++totals.rounds;
  *link = -totals.rounds;
}

int main() {
  int expected[64];
  link = &cells[10];
  double want = 0.25;
  for (int i = 0; i < 64; ++i) cells[i] = expected[i] = i;
  for (int round = 0; round < 3; ++round) {
    advance<<<1, 64>>>();
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    for (int i = 0; i < 64; ++i) cells[i] -= round, expected[i] = expected[i] * 2 + 1 - round;
  }
  sum_up<<<1, 1>>>();
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int value : expected) want += value;
  if (totals.sum != want) return std::printf("FAIL [%d] got %g, wanted %g\n", 0, totals.sum, want), 1;
  if (totals.rounds != 6) return std::printf("FAIL [%d] got %d, wanted %d\n", 1, totals.rounds, 6), 1;
  for (int i = 0; i < 64; ++i)
    if (cells[i] != (i == 10 ? -6 : expected[i]))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, cells[i], (i == 10 ? -6 : expected[i])), 1;
  std::puts("PASS");
}
