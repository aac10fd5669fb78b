// Unions with a tag, anonymous inside a struct, by value to the kernel and back through memory.
#include <cuda_runtime.h>

#include <cstdio>

struct Tagged {
  char kind;
  union {
    float real;
    int whole;
    unsigned char bytes[8];
  };
};

__global__ void change(Tagged first, Tagged* tagged) {
  Tagged& mine = tagged[threadIdx.x];
  if (mine.kind == 'r') mine.real = mine.real * 0.5f + first.real;
  if (mine.kind == 'w') mine.whole -= 100;
  if (mine.kind == 'b') mine.bytes[7] = static_cast<unsigned char>(mine.bytes[7] + mine.bytes[0]);
}

int main() {
  Tagged tagged[60] = {}, first = {};
  first.real = 0.25f;
  for (int i = 0; i < 60; ++i) {
    tagged[i].kind = "rwb"[i % 3];
    if (i % 3 == 0) tagged[i].real = i;
    if (i % 3 == 1) tagged[i].whole = i;
    if (i % 3 == 2) tagged[i].bytes[0] = 200, tagged[i].bytes[7] = static_cast<unsigned char>(i);
  }
  Tagged* device;
  cudaMalloc(&device, sizeof(tagged));
  cudaMemcpy(device, tagged, sizeof(tagged), cudaMemcpyHostToDevice);
  change<<<1, 60>>>(first, device);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(tagged, device, sizeof(tagged), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 60; ++i) {
    float got = i % 3 == 0 ? tagged[i].real : i % 3 == 1 ? tagged[i].whole : tagged[i].bytes[7];
    float want = i % 3 == 0 ? i * 0.5f + 0.25f : i % 3 == 1 ? i - 100 : (i + 200) % 256;
    if (got != want) return std::printf("FAIL [%d] got %g, wanted %g\n", i, got, want), 1;
  }
  std::puts("PASS");
}
