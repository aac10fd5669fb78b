// A reduction over a block that is no power of two reads partners behind the array.
#include <cstdio>

constexpr int kThreads = 96;

__global__ void sum(const int* in, int* out) {
  __shared__ int values[kThreads];
  values[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    int other = 0;
    if (threadIdx.x < half) other = values[threadIdx.x + half];  // finds: out_of_bounds
    __syncthreads();
    if (threadIdx.x < half) values[threadIdx.x] += other;
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = values[0];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, kThreads * sizeof(int));
  cudaMalloc(&out, sizeof(int));
  cudaMemset(in, 0, kThreads * sizeof(int));
  sum<<<1, kThreads>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
