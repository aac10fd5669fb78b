// A histogram in shared memory that counts with ++ instead of atomicAdd.
#include <cstdio>

__global__ void histogram(const unsigned char* in, int* out) {
  __shared__ int bins[16];
  if (threadIdx.x < 16) bins[threadIdx.x] = 0;
  __syncthreads();
  const int bin = in[threadIdx.x] & 15;
  bins[bin]++;  // finds: shared_race
  __syncthreads();
  if (threadIdx.x < 16) out[threadIdx.x] = bins[threadIdx.x];
}

int main() {
  unsigned char* in;
  int* out;
  cudaMalloc(&in, 128);
  cudaMalloc(&out, 16 * sizeof(int));
  cudaMemset(in, 5, 128);
  histogram<<<1, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
