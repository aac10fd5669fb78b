// atomicAdd and atomicSub on int, unsigned and unsigned long long in global memory, with the old values.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(int* a, unsigned* b, unsigned long long* c, int* d, unsigned* e) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(a, i % 3 - 2);
  atomicAdd(b, 0x10000001u);
  atomicAdd(c, 3000000000ull);
  atomicSub(d, i);
  atomicSub(e, 1u);
}

__global__ void tickets(int* next, int* owner) { atomicAdd(&owner[atomicAdd(next, 1)], 1); }

int main() {
  struct {
    unsigned long long c;
    int a;
    unsigned b;
    int d;
    unsigned e;
  } got = {}, *cells;
  cudaMalloc(&cells, sizeof(got));
  cudaMemset(cells, 0, sizeof(got));
  count<<<30, 100>>>(&cells->a, &cells->b, &cells->c, &cells->d, &cells->e);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&got, cells, sizeof(got), cudaMemcpyDeviceToHost);
  if (got.a != -3000 || got.b != 3000u * 0x10000001u || got.c != 9000000000000ull || got.d != -4498500 ||
      got.e != 0u - 3000u)
    return std::printf("FAIL got %d %u %llu %d %u\n", got.a, got.b, got.c, got.d, got.e), 1;
  static int owners[1 + 3000];
  int* next;
  cudaMalloc(&next, sizeof(owners));
  cudaMemset(next, 0, sizeof(owners));
  tickets<<<30, 100>>>(next, next + 1);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(owners, next, sizeof(owners), cudaMemcpyDeviceToHost);
  if (owners[0] != 3000) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, owners[0], 3000), 1;
  for (int i = 1; i <= 3000; ++i)
    if (owners[i] != 1) return std::printf("FAIL [%d] got %d, wanted %d\n", i, owners[i], 1), 1;
  std::puts("PASS");
}
