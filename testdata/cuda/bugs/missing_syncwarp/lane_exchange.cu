// Lanes of one warp exchange values through shared memory without __syncwarp.
#include <cstdio>

__global__ void swap_pairs(const int* in, int* out) {
  __shared__ int slots[128];
  const int t = threadIdx.x;
  slots[t] = in[t];       // finds: shared_race
  out[t] = slots[t ^ 1];  // or: shared_race; may: uninitialised_read
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  swap_pairs<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
