// A buffer is freed between two launches, and the second launch still gets it.
#include <cstdio>

__global__ void add(const int* in, int* out) { out[threadIdx.x] += in[threadIdx.x]; }

__global__ void copy(const int* in, int* out) {
  out[threadIdx.x] = in[threadIdx.x];  // finds: use_after_free
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  cudaMemset(out, 0, 64 * sizeof(int));
  add<<<1, 64>>>(in, out);
  cudaFree(in);
  copy<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
