// A reduction inside of one warp through shared memory: in each round the upper half is only read, the lower
// half only written by its owner, and __syncwarp orders the rounds.
#include <cstdio>

__global__ void sum(const int* in, int* out) {
  __shared__ int values[32];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    if (t < half) values[t] += values[t + half];
    __syncwarp();
  }
  if (t == 0) *out = values[0];
}

int main() {
  int host[32], result = 0;
  for (int i = 0; i < 32; ++i) host[i] = i;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sum<<<1, 32>>>(in, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 496;
}
