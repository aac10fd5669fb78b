// A device-to-device copy of memory without content hands its emptiness on.
#include <cstdio>

__global__ void square(const int* in, int* out) {
  const int value = in[threadIdx.x];  // finds: uninitialised_read
  out[threadIdx.x] = value * value;
}

int main() {
  int *first, *second, *out;
  cudaMalloc(&first, 32 * sizeof(int));
  cudaMalloc(&second, 32 * sizeof(int));
  cudaMalloc(&out, 32 * sizeof(int));
  cudaMemcpy(second, first, 32 * sizeof(int), cudaMemcpyDeviceToDevice);
  square<<<1, 32>>>(second, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
