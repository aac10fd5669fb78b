// The last warp of a reduction as in books before Volta: volatile keeps its values in memory, but orders no lanes.
#include <cstdio>

__device__ void add(volatile int* s, int t) {
  s[t] += s[t + 16];  // finds: shared_race
  s[t] += s[t + 8];   // finds: shared_race
  s[t] += s[t + 4];   // finds: shared_race
  s[t] += s[t + 2];   // finds: shared_race
  s[t] += s[t + 1];   // finds: shared_race
}

__global__ void sum(const int* in, int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  if (t < 64) values[t] += values[t + 64];
  __syncthreads();
  if (t < 32) values[t] += values[t + 32];
  __syncthreads();
  if (t < 32) add(values, t);
  if (t == 0) *out = values[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 1, 128 * sizeof(int));
  sum<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
