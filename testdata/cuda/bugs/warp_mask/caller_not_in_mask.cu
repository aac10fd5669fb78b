// All lanes call with a mask that names the lower half.
#include <cstdio>

__global__ void vote(const int* in, unsigned* out) {
  const int lane = threadIdx.x;
  const int value = in[lane];
  out[lane] = __ballot_sync(0x0000ffffu, value > 0);  // finds: warp_mask
}

int main() {
  int* in;
  unsigned* out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(unsigned));
  cudaMemset(in, 1, 32 * sizeof(int));
  vote<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
