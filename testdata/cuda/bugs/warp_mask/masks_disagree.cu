// Every lane computes the mask by itself, and the odd ones get another.
#include <cstdio>

__global__ void sum(const int* in, int* out) {
  const int lane = threadIdx.x;
  const unsigned mask = lane % 2 == 0 ? 0xffffffffu : 0xaaaaaaaau;
  const int value = in[lane];
  const int other = __shfl_xor_sync(mask, value, 2);  // finds: warp_mask
  __syncthreads();
  out[lane] = value + other;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  sum<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
