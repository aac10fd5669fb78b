// A struct of pointers passed by value, one of them never set.
#include <cstdio>

struct Buffers {
  const int* in;
  int* out;
  int* counts;
};

__global__ void work(Buffers buffers) {
  const int i = threadIdx.x;
  buffers.out[i] = buffers.in[i];
  buffers.counts[i] = 1;  // finds: out_of_bounds "null"
}

int main() {
  Buffers buffers = {};
  int* in;
  cudaMalloc(&in, 32 * sizeof(int));
  cudaMemset(in, 0, 32 * sizeof(int));
  cudaMalloc(&buffers.out, 32 * sizeof(int));
  buffers.in = in;
  work<<<1, 32>>>(buffers);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
