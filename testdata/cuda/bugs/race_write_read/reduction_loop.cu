// A tree reduction whose barrier stands outside of the loop.
#include <cstdio>

__global__ void sum(const int* in, int* out) {
  __shared__ int values[128];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (t < half) values[t] += values[t + half];  // finds: shared_race
  }
  __syncthreads();
  if (t == 0) *out = values[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  sum<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
