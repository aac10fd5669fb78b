// A block-wide maximum: some threads use atomicMax, the first takes a short cut with a plain store.
#include <cstdio>

__global__ void maximum(const int* in, int* out) {
  __shared__ int best;
  if (threadIdx.x == 0) best = -1;
  __syncthreads();
  const int value = in[threadIdx.x];
  if (threadIdx.x == 1) {
    best = value;  // finds: shared_race
  } else {
    atomicMax(&best, value);  // or: shared_race
  }
  __syncthreads();
  if (threadIdx.x == 0) *out = best;
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  maximum<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
