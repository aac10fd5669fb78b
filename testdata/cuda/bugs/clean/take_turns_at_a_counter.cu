// Threads read a counter, then try to move it on by one until they succeed: each takes one number, wherever it is interrupted.
#include <cstdio>

__global__ void take(int* next, int* taken) {
  int seen = *static_cast<volatile int*>(next);
  while (true) {
    const int before = atomicCAS(next, seen, seen + 1);
    if (before == seen) break;
    seen = before;
  }
  atomicAdd(&taken[seen], 1);
}

int main() {
  int *next, *taken, host[256];
  cudaMalloc(&next, sizeof(int));
  cudaMalloc(&taken, sizeof(host));
  cudaMemset(next, 0, sizeof(int));
  cudaMemset(taken, 0, sizeof(host));
  take<<<4, 64>>>(next, taken);
  cudaMemcpy(host, taken, sizeof(host), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i)
    if (host[i] != 1) return 1;
  printf("right\n");
  return 0;
}
