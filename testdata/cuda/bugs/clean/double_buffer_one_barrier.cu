// Two shared buffers and one barrier per step: what is read in step k is overwritten in step k + 1, behind
// the barrier.
#include <cstdio>

__global__ void relax(const int* in, int* out, int steps) {
  __shared__ int buffer[2][66];
  const int t = threadIdx.x;
  buffer[0][t + 1] = in[t];
  if (t < 2) buffer[0][t * 65] = buffer[1][t * 65] = 0;
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    const int* from = buffer[step % 2];
    int* to = buffer[(step + 1) % 2];
    to[t + 1] = from[t] + from[t + 2];
    __syncthreads();
  }
  out[t] = buffer[steps % 2][t + 1];
}

int main() {
  int host[64] = {}, result[64];
  host[32] = 1;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  relax<<<1, 64>>>(in, out, 4);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  const bool right = result[28] == 1 && result[30] == 4 && result[32] == 6 && result[33] == 0;
  printf("%d %d %d\n", result[28], result[30], result[32]);
  return !right;
}
