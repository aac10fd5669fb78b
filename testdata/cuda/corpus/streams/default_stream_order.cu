// The default stream waits for blocking streams, and they wait for it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void copy(const int* from, int* to, int count, int add) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] + add;
}

int main() {
  const int count = 5000;
  static int values[count], got[count];
  for (int i = 0; i < count; ++i) values[i] = i;
  int* a;
  cudaMalloc(&a, sizeof(values));
  int* b;
  cudaMalloc(&b, sizeof(values));
  int* c;
  cudaMalloc(&c, sizeof(values));
  int* d;
  cudaMalloc(&d, sizeof(values));
  cudaMemcpy(a, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaStream_t one, two;
  cudaStreamCreate(&one);
  cudaStreamCreate(&two);
  copy<<<20, 256, 0, one>>>(a, b, count, 1);
  copy<<<20, 256>>>(b, c, count, 10);
  copy<<<20, 256, 0, two>>>(c, d, count, 100);
  cudaMemcpy(got, d, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i)
    if (got[i] != i + 111) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], i + 111), 1;
  std::puts("PASS");
}
