// A full mask inside of a branch: half of the lanes it names wait at the barrier behind the branch.
#include <cstdio>

__global__ void lower_sum(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  if (t < 16) {
    value += __shfl_xor_sync(0xffffffffu, value, 1);  // finds: warp_mask
  }
  __syncthreads();
  out[t] = value;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  lower_sum<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
