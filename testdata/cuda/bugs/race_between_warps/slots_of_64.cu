// Scratch space per warp, addressed as if a warp had 64 threads: two warps share one slot.
#include <cstdio>

__global__ void leaders(const int* in, int* out) {
  __shared__ int slot[4];
  const int t = threadIdx.x;
  if (t % 32 == 0) slot[t / 64] = in[t] + t;  // finds: shared_race
  __syncthreads();
  out[t] = slot[t / 64];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  leaders<<<1, 256>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
