// The halves of a warp take different branches and exchange values through shared memory, each with its own
// mask.
#include <cstdio>

__global__ void rotate_halves(const int* in, int* out) {
  __shared__ int slots[32];
  const int t = threadIdx.x;
  slots[t] = in[t];
  if (t < 16) {
    __syncwarp(0x0000ffffu);
    out[t] = slots[(t + 1) % 16];
  } else {
    __syncwarp(0xffff0000u);
    out[t] = slots[16 + (t + 15) % 16];
  }
}

int main() {
  int host[32], result[32];
  for (int i = 0; i < 32; ++i) host[i] = 10 * i;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  rotate_halves<<<1, 32>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", result[0], result[15], result[16]);
  return result[0] != 10 || result[15] != 0 || result[16] != 310;
}
