// A block sum by shuffles: shared memory carries only the sums of the warps, behind one barrier.
#include <cstdio>

__device__ int warp_sum(int value) {
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  return value;
}

__global__ void block_sum(const int* in, int n, int* out) {
  __shared__ int partial[32];
  const int t = threadIdx.x;
  int value = t < n ? in[t] : 0;
  value = warp_sum(value);
  if (t % 32 == 0) partial[t / 32] = value;
  __syncthreads();
  if (t < 32) {
    value = t < blockDim.x / 32 ? partial[t] : 0;
    value = warp_sum(value);
    if (t == 0) *out = value;
  }
}

int main() {
  const int n = 250;
  int host[n], result = 0;
  for (int i = 0; i < n; ++i) host[i] = i;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(int));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  block_sum<<<1, 256>>>(in, n, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 249 * 125;
}
