// Blocks write neighboring bytes and half-words of the same words.
#include <cstdio>

__global__ void write(unsigned char* bytes, short* halves) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
  bytes[i] = static_cast<unsigned char>(i + 1);
  halves[i] = static_cast<short>(3 * i);
}

int main() {
  unsigned char* bytes;
  short* halves;
  unsigned char first[96];
  short second[96];
  cudaMalloc(&bytes, sizeof(first));
  cudaMalloc(&halves, sizeof(second));
  write<<<3, 32>>>(bytes, halves);
  cudaMemcpy(first, bytes, sizeof(first), cudaMemcpyDeviceToHost);
  cudaMemcpy(second, halves, sizeof(second), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 96; ++i)
    if (first[i] != i + 1 || second[i] != 3 * i) return 1;
  printf("right\n");
  return 0;
}
