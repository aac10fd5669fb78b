// __syncwarp() names the whole warp, and the odd lanes are already at the barrier behind the branch.
#include <cstdio>

__global__ void odd_and_even(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (t % 2 == 0) {
    value += 1;
    __syncwarp();  // finds: warp_mask
  }
  __syncthreads();  // or: warp_mask
  out[t] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  odd_and_even<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
