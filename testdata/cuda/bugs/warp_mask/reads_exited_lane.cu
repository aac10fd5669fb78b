// Threads beyond n have left; the shuffle still names them and reads their values.
#include <cstdio>

__global__ void next(const int* in, int* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  const int value = in[i];
  out[i] = __shfl_down_sync(0xffffffffu, value, 1);  // finds: warp_mask
}

int main() {
  const int n = 20;
  int *in, *out;
  cudaMalloc(&in, n * sizeof(int));
  cudaMalloc(&out, n * sizeof(int));
  cudaMemset(in, 0, n * sizeof(int));
  next<<<1, 32>>>(in, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
