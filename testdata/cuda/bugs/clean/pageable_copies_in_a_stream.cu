// Copies of ordinary host memory are done when the call returns, in a stream, too.
#include <cstdio>

__global__ void add_one(int* values) { values[threadIdx.x] += 1; }

int main() {
  int *values, host[32], result[32];
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaMalloc(&values, sizeof(host));
  for (int i = 0; i < 32; ++i) host[i] = i;
  cudaMemcpyAsync(values, host, sizeof(host), cudaMemcpyHostToDevice, stream);
  for (int i = 0; i < 32; ++i) host[i] = -1;
  add_one<<<1, 32, 0, stream>>>(values);
  cudaMemcpyAsync(result, values, sizeof(result), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  printf("%d\n", result[31]);
  return result[31] != 32;
}
