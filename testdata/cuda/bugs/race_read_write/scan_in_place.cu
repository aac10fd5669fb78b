// A Hillis-Steele scan in place: one barrier per round, where reading and writing each need one.
#include <cstdio>

__global__ void scan(const int* in, int* out) {
  __shared__ int values[64];
  const int t = threadIdx.x;
  values[t] = in[t];
  __syncthreads();
  for (int distance = 1; distance < 64; distance *= 2) {
    const int left = t >= distance ? values[t - distance] : 0;  // finds: shared_race
    values[t] += left;                                          // or: shared_race
    __syncthreads();
  }
  out[t] = values[t];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  scan<<<1, 64>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
