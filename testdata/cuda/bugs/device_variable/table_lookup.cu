// A table of squares in device memory, looked up with a negative key.
#include <cstdio>

__device__ const int squares[8] = {0, 1, 4, 9, 16, 25, 36, 49};

__global__ void lookup(const int* keys, int* out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    const int key = keys[i];
    out[i] = squares[key];  // finds: out_of_bounds
  }
}

int main() {
  const int host[4] = {1, 7, -1, 3};
  int *keys, *out;
  cudaMalloc(&keys, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(keys, host, sizeof(host), cudaMemcpyHostToDevice);
  lookup<<<1, 32>>>(keys, out, 4);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
