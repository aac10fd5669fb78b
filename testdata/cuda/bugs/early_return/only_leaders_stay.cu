// All but the leaders of the warps are done early; the leaders meet at a barrier.
#include <cstdio>

__global__ void leaders(const int* in, int* out) {
  const int t = threadIdx.x;
  int value = in[t];
  for (int d = 16; d > 0; d /= 2) value += __shfl_xor_sync(0xffffffffu, value, d);
  if (t % 32 != 0) return;
  out[t / 32] = value;
  __syncthreads();  // finds: early_return
  if (t == 0) out[4] = out[0] + out[1] + out[2] + out[3];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 5 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  leaders<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
