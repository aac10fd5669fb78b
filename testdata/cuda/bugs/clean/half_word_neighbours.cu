// Halves of one word written by two threads, in global and in shared memory, read as words by a later kernel.
#include <cstdio>

__global__ void write(unsigned short* halves) {
  __shared__ unsigned short staged[64];
  const int t = threadIdx.x;
  staged[t] = static_cast<unsigned short>(t);
  halves[t] = staged[t];
}

__global__ void read(const unsigned* words, unsigned* out) { out[threadIdx.x] = words[threadIdx.x]; }

int main() {
  unsigned result[32];
  unsigned *words, *out;
  cudaMalloc(&words, sizeof(result));
  cudaMalloc(&out, sizeof(result));
  write<<<1, 64>>>(reinterpret_cast<unsigned short*>(words));
  read<<<1, 32>>>(words, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%08x\n", result[31]);
  return result[31] != 0x003f003eu;
}
