// Even threads store eight bytes, odd ones four: the second half of each pair is written twice.
#include <cstdio>

__global__ void spread(const int* in, int* out) {
  __shared__ __align__(8) int words[64];
  const int t = threadIdx.x;
  if (t % 2 == 0) *reinterpret_cast<int2*>(words + t) = make_int2(in[t], in[t + 1]);  // finds: shared_race
  if (t % 2 == 1) words[t] = -1;                                                      // or: shared_race
  __syncthreads();
  out[t] = words[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  spread<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
