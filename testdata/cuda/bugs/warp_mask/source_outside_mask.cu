// The lower eight lanes shuffle among themselves and ask for lane 12.
#include <cstdio>

__global__ void pick(const int* in, int* out, int from) {
  const int lane = threadIdx.x;
  int value = in[lane];
  if (lane < 8) value = __shfl_sync(0x000000ffu, value, from);  // finds: warp_mask
  out[lane] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  pick<<<1, 32>>>(in, out, 12);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
