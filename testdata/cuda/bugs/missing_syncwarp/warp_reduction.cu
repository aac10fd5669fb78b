// The old warp-synchronous reduction: right before threads of a warp could run apart, wrong since.
#include <cstdio>

__global__ void sum(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
  values[t + 32] = in[t + 32];
  __syncwarp();
  values[t] += values[t + 32];
  __syncwarp();
  for (int half = 16; half > 0; half /= 2) {
    if (t < half) values[t] += values[t + half];  // finds: shared_race
  }
  if (t == 0) *out = values[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  sum<<<1, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
