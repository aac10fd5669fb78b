// Bits of neighbors in one byte: each thread reads the byte, sets its bit and writes it back.
#include <cstdio>

__global__ void set_bits(const int* in, unsigned char* bits) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (in[i] > 3) bits[i / 8] |= 1 << (i % 8);  // finds: global_race
}

int main() {
  int *in, host[128];
  unsigned char* bits;
  for (int i = 0; i < 128; ++i) host[i] = i % 7;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&bits, 16);
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemset(bits, 0, 16);
  set_bits<<<2, 64>>>(in, bits);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
