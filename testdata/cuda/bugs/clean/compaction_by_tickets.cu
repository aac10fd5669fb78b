// Threads take places in the output from an atomic counter; each writes only to its own.
#include <cstdio>

__global__ void keep_even(const int* in, int n, int* out, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && in[i] % 2 == 0) out[atomicAdd(count, 1)] = in[i];
}

int main() {
  const int n = 200;
  int host[n], result[n], *in, *out, *count, kept = 0;
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMalloc(&count, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(count, 0, sizeof(int));
  keep_even<<<4, 64>>>(in, n, out, count);
  cudaMemcpy(&kept, count, sizeof(int), cudaMemcpyDeviceToHost);
  cudaMemcpy(result, out, kept * sizeof(int), cudaMemcpyDeviceToHost);
  int sum = 0;
  for (int i = 0; i < kept; ++i) sum += result[i];
  printf("%d\n", kept);
  return kept != n / 2 || sum != 9900;
}
