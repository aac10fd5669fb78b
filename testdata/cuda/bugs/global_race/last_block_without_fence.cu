// The last block adds up the others' sums, but nothing puts a block's sum before its ticket.
#include <cstdio>

__device__ unsigned tickets;

__global__ void sum(const int* in, volatile int* partial, int* out) {
  partial[blockIdx.x] = in[blockIdx.x] * 2;  // or: global_race
  if (atomicAdd(&tickets, 1u) != gridDim.x - 1) return;
  int all = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) all += partial[b];  // finds: global_race
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
