// cudaMemcpy in all directions, from and to the middle of arrays; cudaMemset; cudaMemcpyDefault.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void bump(unsigned char* bytes, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) bytes[i] = static_cast<unsigned char>(bytes[i] + 1);
}

int main() {
  unsigned char host[300], got[300] = {}, want[300];
  for (int i = 0; i < 300; ++i) host[i] = static_cast<unsigned char>(i);
  unsigned char* a;
  cudaMalloc(&a, 300);
  unsigned char* b;
  cudaMalloc(&b, 300);
  cudaMemcpy(a, host, 300, cudaMemcpyHostToDevice);
  cudaMemset(b, 0xab, 300);
  cudaMemset(b + 290, 3, 10);
  bump<<<3, 128>>>(a, 300);
  cudaMemcpy(b + 7, a + 11, 101, cudaMemcpyDeviceToDevice);
  cudaMemcpy(a, b, 50, cudaMemcpyDefault);
  cudaMemcpy(host, got, 5, cudaMemcpyHostToHost);
  cudaMemcpy(got, a, 200, cudaMemcpyDefault);
  cudaMemcpy(got + 200, b + 200, 100, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 300; ++i) want[i] = static_cast<unsigned char>(i < 200 ? i + 1 : i < 290 ? 0xab : 3);
  for (int i = 0; i < 50; ++i) want[i] = i < 7 ? 0xab : static_cast<unsigned char>(i - 7 + 11 + 1);
  for (int i = 0; i < 300; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want[i]), 1;
  for (int i = 0; i < 6; ++i)
    if (host[i] != (i < 5 ? 0 : 5))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, host[i], (i < 5 ? 0 : 5)), 1;
  std::puts("PASS");
}
