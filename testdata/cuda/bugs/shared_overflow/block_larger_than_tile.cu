// The tile has the size of the usual block; this launch has a larger one.
#include <cstdio>

__global__ void copy_through(const int* in, int* out) {
  __shared__ int tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int value = in[i];
  tile[threadIdx.x] = value;  // finds: out_of_bounds
  __syncthreads();
  out[i] = tile[threadIdx.x % 128];
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 512 * sizeof(int));
  cudaMalloc(&out, 512 * sizeof(int));
  cudaMemset(in, 0, 512 * sizeof(int));
  copy_through<<<2, 256>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
