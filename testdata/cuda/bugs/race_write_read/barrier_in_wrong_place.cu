// There is a barrier, but in front of the write instead of behind it.
#include <cstdio>

__global__ void rotate(const int* in, int* out) {
  extern __shared__ int ring[];
  const int t = threadIdx.x, n = blockDim.x;
  ring[t] = 0;
  __syncthreads();
  ring[t] = in[t];             // finds: shared_race
  out[t] = ring[(t + 1) % n];  // or: shared_race
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 96 * sizeof(int));
  cudaMalloc(&out, 96 * sizeof(int));
  cudaMemset(in, 0, 96 * sizeof(int));
  rotate<<<1, 96, 96 * sizeof(int)>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
