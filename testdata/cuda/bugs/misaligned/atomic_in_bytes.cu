// An atomic addition to a counter whose offset in a byte buffer is no multiple of four.
#include <cstdio>

__global__ void count(unsigned char* buffer, int offset) {
  unsigned* counter = reinterpret_cast<unsigned*>(buffer + offset);
  atomicAdd(counter, 1u);  // finds: misaligned
}

int main() {
  unsigned char* buffer;
  cudaMalloc(&buffer, 64);
  cudaMemset(buffer, 0, 64);
  count<<<1, 32>>>(buffer, 6);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
