// The size is given in elements; the array holds doubles.
#include <cstdio>

__global__ void prefix(const double* in, double* out, int n) {
  extern __shared__ double sums[];
  if (threadIdx.x == 0) {
    double sum = 0;
    for (int i = 0; i < n; ++i) {
      sum += in[i];
      sums[i] = sum;  // finds: out_of_bounds
    }
    out[0] = sum;
  }
}

int main() {
  const int n = 40;
  double *in, *out;
  cudaMalloc(&in, n * sizeof(double));
  cudaMalloc(&out, n * sizeof(double));
  cudaMemset(in, 0, n * sizeof(double));
  prefix<<<1, 32, n>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
