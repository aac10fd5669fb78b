// Block 1 waits for a flag that block 0 sets behind a fence; two blocks of one warp are always resident
// together.
#include <cstdio>

__global__ void relay(volatile int* flag, volatile int* data, int* out) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = threadIdx.x * threadIdx.x;
    __threadfence();
    __syncwarp();
    if (threadIdx.x == 0) *flag = 1;
  } else {
    while (*flag == 0) {
    }
    __threadfence();
    out[threadIdx.x] = data[31 - threadIdx.x];
  }
}

int main() {
  int *flag, *data, *out, result[32];
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&data, sizeof(result));
  cudaMalloc(&out, sizeof(result));
  cudaMemset(flag, 0, sizeof(int));
  relay<<<2, 32>>>(flag, data, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[31]);
  return result[0] != 961 || result[31] != 0;
}
