// The guard compares with <= instead of <.
#include <cstdio>

__global__ void negate(const short* in, short* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) {
    const short value = i < n ? in[i] : short(0);
    out[i] = -value;  // finds: out_of_bounds
  }
}

int main() {
  const int n = 300;
  short *in, *out;
  cudaMalloc(&in, n * sizeof(short));
  cudaMalloc(&out, n * sizeof(short));
  cudaMemset(in, 7, n * sizeof(short));
  negate<<<3, 128>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
