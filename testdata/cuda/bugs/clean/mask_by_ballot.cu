// A mask made by a vote before the branch; inside of it only the lanes that voted shuffle, and only among
// themselves.
#include <cstdio>

__global__ void sum_lower(const int* in, int* out, int n) {
  const int lane = threadIdx.x;
  const unsigned mask = __ballot_sync(0xffffffffu, lane < n);
  if (lane < n) {
    int value = in[lane];
    for (int d = n / 2; d > 0; d /= 2) value += __shfl_xor_sync(mask, value, d);
    out[lane] = value;
  } else {
    out[lane] = -1;
  }
}

int main() {
  int host[32], result[32];
  for (int i = 0; i < 32; ++i) host[i] = i;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sum_lower<<<1, 32>>>(in, out, 8);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[7], result[8]);
  return result[7] != 28 || result[8] != -1;
}
