// The grid is rounded up to whole blocks and the kernel has no bounds check; the output is padded, the input
// is not.
#include <cstdio>

__global__ void scale(const int* in, int* out, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[i];  // finds: out_of_bounds
  out[i] = value * factor;
}

int main() {
  const int n = 1000, block = 128, blocks = (n + block - 1) / block;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, blocks * block * sizeof(int));
  cudaMemset(in, 1, n * sizeof(int));
  scale<<<blocks, block>>>(in, out, 3);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
