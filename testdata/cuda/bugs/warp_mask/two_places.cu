// The two sides of a branch each shuffle with the full mask: the lanes meet at different shuffles.
#include <cstdio>

__global__ void branches(const int* in, int* out) {
  const int lane = threadIdx.x;
  int value = in[lane];
  if (lane < 16) {
    value = __shfl_sync(0xffffffffu, value, 0);  // finds: warp_mask
  } else {
    value = 2 * __shfl_sync(0xffffffffu, value, 16);  // or: warp_mask
  }
  out[lane] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  branches<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
