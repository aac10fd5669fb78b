// Bit fields, signed and unsigned, read and written by a kernel and compared with the whole word.
#include <cuda_runtime.h>

#include <cstdio>

struct Packed {
  unsigned low : 5;
  int middle : 9;
  unsigned high : 18;
};

union Word {
  Packed fields;
  unsigned bits;
};

__global__ void change(Word* words) {
  int t = threadIdx.x;
  words[t].fields.low += 3;
  words[t].fields.middle = -words[t].fields.middle;
  words[t].fields.high ^= 0x3ffff;
}

int main() {
  Word words[50];
  for (unsigned i = 0; i < 50; ++i) words[i].bits = i % 32 | ((i * 5) & 511) << 5 | (i * 1234) << 14;
  Word* device_words;
  cudaMalloc(&device_words, sizeof(words));
  cudaMemcpy(device_words, words, sizeof(words), cudaMemcpyHostToDevice);
  change<<<1, 50>>>(device_words);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(words, device_words, sizeof(words), cudaMemcpyDeviceToHost);
  for (unsigned i = 0; i < 50; ++i) {
    unsigned want = (i + 3) % 32 | ((0u - i * 5) & 511) << 5 | ((i * 1234) ^ 0x3ffff) << 14;
    if (words[i].bits != want)
      return std::printf("FAIL [%d] got %x, wanted %x\n", int(i), words[i].bits, want), 1;
  }
  std::puts("PASS");
}
