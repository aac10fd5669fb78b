// Two of four bytes of each word are written; the read takes all four.
#include <cstdio>

__global__ void write_low(unsigned short* halves, int words) {
  const int i = threadIdx.x;
  if (i < words) halves[2 * i] = static_cast<unsigned short>(i);
}

__global__ void read_words(const unsigned* words, unsigned* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = words[i] & 0xffff0000u;  // finds: uninitialised_read
}

int main() {
  const int n = 32;
  unsigned *words, *out;
  cudaMalloc(&words, n * sizeof(unsigned));
  cudaMalloc(&out, n * sizeof(unsigned));
  write_low<<<1, 32>>>(reinterpret_cast<unsigned short*>(words), n);
  read_words<<<1, 32>>>(words, out, n);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
