// Thread 0 puts a value down for everybody, and everybody picks it up without waiting.
#include <cstdio>

__global__ void subtract_first(const int* in, int* out) {
  __shared__ int first;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) first = in[i];  // finds: shared_race
  out[i] = in[i] - first;               // or: shared_race; may: uninitialised_read
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 256 * sizeof(int));
  cudaMalloc(&out, 256 * sizeof(int));
  cudaMemset(in, 0, 256 * sizeof(int));
  subtract_first<<<2, 128>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
