// A reversed copy computes -i instead of n - 1 - i.
#include <cstdio>

__global__ void reverse(const char* in, char* out, int n) {
  const int i = threadIdx.x;
  if (i < n) {
    const char value = in[i];
    out[-i] = value;  // finds: out_of_bounds
  }
}

int main() {
  const int n = 50;
  char *in, *out;
  cudaMalloc(&in, n);
  cudaMalloc(&out, n);
  cudaMemset(in, 'x', n);
  reverse<<<1, 64>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
