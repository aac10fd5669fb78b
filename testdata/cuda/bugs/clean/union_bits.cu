// The bits of floats through a union, in local and in shared memory, each thread in its own place.
#include <cstdio>

union Word {
  float real;
  unsigned bits;
  unsigned char bytes[4];
};

__global__ void exponents(const float* in, unsigned* out) {
  __shared__ Word words[32];
  const int t = threadIdx.x;
  words[t].real = in[t];
  Word copy = words[t];
  copy.bytes[0] = 0;
  out[t] = copy.bits >> 23;
}

int main() {
  float host[32];
  unsigned result[32];
  for (int i = 0; i < 32; ++i) host[i] = static_cast<float>(1 << (i % 16));
  float* in;
  unsigned* out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  exponents<<<1, 32>>>(in, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%u %u\n", result[0], result[15]);
  return result[0] != 127 || result[15] != 142;
}
