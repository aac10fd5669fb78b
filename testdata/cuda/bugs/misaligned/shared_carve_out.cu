// Dynamic shared memory carved into chars and then ints, without rounding the start of the ints up.
#include <cstdio>

__global__ void carve(const int* in, int* out, int flags) {
  extern __shared__ unsigned char memory[];
  unsigned char* flag = memory;
  int* values = reinterpret_cast<int*>(memory + flags);
  if (threadIdx.x < flags) flag[threadIdx.x] = 1;
  values[threadIdx.x] = in[threadIdx.x];  // finds: misaligned
  __syncthreads();
  out[threadIdx.x] = flag[0];
}

int main() {
  const int flags = 30;
  int *in, *out;
  cudaMalloc(&in, 64 * sizeof(int));
  cudaMalloc(&out, 64 * sizeof(int));
  cudaMemset(in, 0, 64 * sizeof(int));
  carve<<<1, 64, flags + 64 * sizeof(int)>>>(in, out, flags);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
