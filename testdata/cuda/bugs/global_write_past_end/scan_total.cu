// An inclusive scan writes the total behind the array, where the caller made no room for it.
#include <cstdio>

__global__ void serial_scan(const int* in, int* out, int n) {
  int sum = 0;
  for (int i = 0; i < n; ++i) {
    out[i] = sum;
    sum += in[i];
  }
  out[n] = sum;  // finds: out_of_bounds
}

int main() {
  const int n = 100;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  serial_scan<<<1, 1>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
