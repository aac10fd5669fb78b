// Function pointers in device code: a table in device memory, a choice at run time, a pointer as an argument.
#include <cuda_runtime.h>

#include <cstdio>

typedef int (*Operation)(int, int);

__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ Operation operations[3] = {add, subtract, multiply};

__device__ __noinline__ int twice(Operation operation, int a, int b) { return operation(operation(a, b), b); }

__global__ void compute(int* out) {
  int t = threadIdx.x;
  Operation own = t < 32 ? add : multiply;
  out[t] = twice(operations[t % 3], t, 7) * 1000 + own(t, 2);
}

__global__ void pass(Operation operation, int* out) { *out = operation(20, 22); }

int main() {
  int got[64] = {}, single = 0;
  Operation chosen;
  int* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 64>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) {
    int value = t % 3 == 0 ? t + 14 : t % 3 == 1 ? t - 14 : t * 49;
    if (got[t] != value * 1000 + (t < 32 ? t + 2 : t * 2))
      return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t], value * 1000 + (t < 32 ? t + 2 : t * 2)),
             1;
  }
  cudaMemcpyFromSymbol(&chosen, operations, sizeof(chosen));
  pass<<<1, 1>>>(chosen, out);
  cudaMemcpy(&single, out, sizeof(single), cudaMemcpyDeviceToHost);
  if (single != 42) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, single, 42), 1;
  std::puts("PASS");
}
