// The mask of __syncwarp covers half of the warp each; the exchange crosses the halves.
#include <cstdio>

__global__ void swap_halves(const int* in, int* out) {
  __shared__ int slots[32];
  const int t = threadIdx.x;
  slots[t] = in[t];  // finds: shared_race
  __syncwarp(t < 16 ? 0x0000ffffu : 0xffff0000u);
  out[t] = slots[t ^ 16];  // or: shared_race; may: uninitialised_read
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  swap_halves<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
