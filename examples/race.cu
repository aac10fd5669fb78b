// A bug to find: a thread reads its neighbor's value without waiting for it to be written. In the usual
// order of threads the result is right by luck. cuset run examples/race.cu --check, or --schedules 8
#include <cuda_runtime.h>

#include <cstdio>

__global__ void shift(const int* in, int* out) {
  __shared__ int values[256];
  values[threadIdx.x] = in[threadIdx.x];
  // __syncthreads() is missing here.
  out[threadIdx.x] = threadIdx.x == 0 ? 0 : values[threadIdx.x - 1];
}

int main() {
  int host[256], *in, *out;
  for (int i = 0; i < 256; ++i) host[i] = i;
  cudaMalloc(&in, sizeof host);
  cudaMalloc(&out, sizeof host);
  cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
  shift<<<1, 256>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  int right = 0;
  for (int i = 0; i < 256; ++i) right += host[i] == (i == 0 ? 0 : i - 1);
  std::printf("%d of 256 right\n", right);
}
