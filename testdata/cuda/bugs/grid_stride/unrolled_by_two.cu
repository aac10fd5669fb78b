// A grid-stride loop unrolled by hand: the second element of a pair is not checked, and n is odd.
#include <cstdio>

__global__ void add_one(const int* in, int* out, int n) {
  const int stride = 2 * gridDim.x * blockDim.x;
  for (int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x); i < n; i += stride) {
    const int first = in[i];
    const int second = in[i + 1];  // finds: out_of_bounds
    out[i] = first + 1;
    out[i + 1] = second + 1;
  }
}

int main() {
  const int n = 1001;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, (n + 1) * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  add_one<<<2, 64>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
