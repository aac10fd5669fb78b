// Every thread has its fence behind its own number; then a barrier, and one thread takes the ticket for all of them.
#include <cstdio>

__device__ unsigned tickets;

__global__ void sum(const int* in, int* doubled, int* out) {
  __shared__ bool last;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  doubled[i] = in[i] * 2;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) last = atomicAdd(&tickets, 1u) == gridDim.x - 1;
  __syncthreads();
  if (!last || threadIdx.x != 5) return;
  int all = 0;
  for (unsigned k = 0; k < gridDim.x * blockDim.x; ++k) all += doubled[k];
  *out = all;
}

int main() {
  int *in, *doubled, *out, host[128], result = 0;
  for (int i = 0; i < 128; ++i) host[i] = i;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&doubled, sizeof(host));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sum<<<4, 32>>>(in, doubled, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 128 * 127;
}
