// A message and then its flag: without a fence the flag may be seen first.
#include <cstdio>

__global__ void relay(volatile int* flag, volatile int* message, int* out) {
  if (blockIdx.x == 0) {
    *message = 12345 + threadIdx.x;  // or: global_race
    *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[0] = *message;  // finds: global_race
  }
}

int main() {
  int *flag, *message, *out;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&message, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  relay<<<2, 1>>>(flag, message, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
