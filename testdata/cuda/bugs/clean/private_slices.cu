// Shared memory as private scratch: each thread has its own slice, so no barrier is needed.
#include <cstdio>

__global__ void digits(const unsigned* in, int* out) {
  __shared__ int counts[64][10];
  int* mine = counts[threadIdx.x];
  for (int d = 0; d < 10; ++d) mine[d] = 0;
  for (unsigned rest = in [threadIdx.x]; rest != 0; rest /= 10) mine[rest % 10]++;
  int most = 0;
  for (int d = 1; d < 10; ++d) most = mine[d] > mine[most] ? d : most;
  out[threadIdx.x] = most;
}

int main() {
  unsigned host[64];
  int result[64];
  for (int i = 0; i < 64; ++i) host[i] = 1000u + 111u * (i % 10);
  unsigned* in;
  int* out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  digits<<<1, 64>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[7]);
  return result[0] != 0 || result[7] != 7;
}
