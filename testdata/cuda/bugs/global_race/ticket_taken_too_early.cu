// The last block adds up the others' sums, but each block takes its ticket before it has written.
#include <cstdio>

__device__ unsigned tickets;

__global__ void sum(const int* in, int* partial, int* out) {
  const unsigned ticket = atomicAdd(&tickets, 1u);
  partial[blockIdx.x] = in[blockIdx.x] * 2;  // or: global_race
  __threadfence();
  if (ticket != gridDim.x - 1) return;
  int all = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];  // finds: global_race; may: uninitialised_read
  *out = all;
}

int main() {
  int *in, *partial, *out, host[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&partial, sizeof(host));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sum<<<8, 1>>>(in, partial, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
