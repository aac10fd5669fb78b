// Every thread updates a counter, but nobody learns from it who is done: it orders nothing.
#include <cstdio>

__device__ int calls;

__global__ void pass_on(const int* in, int* cells, int* out) {
  atomicAdd(&calls, 1);
  cells[blockIdx.x] = in[blockIdx.x];  // finds: global_race
  atomicAdd(&calls, 1);
  out[blockIdx.x] = cells[(blockIdx.x + 1) % gridDim.x];  // or: global_race; may: uninitialised_read
}

int main() {
  int *in, *cells, *out, host[8] = {5, 4, 3, 2, 1, 9, 8, 7};
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&cells, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  pass_on<<<8, 1>>>(in, cells, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
