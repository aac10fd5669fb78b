// Recursion in device code: direct, mutual, and with local arrays on the stack.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

__device__ bool is_odd(int n);
__device__ __noinline__ bool is_even(int n) { return n == 0 || is_odd(n - 1); }
__device__ __noinline__ bool is_odd(int n) { return n != 0 && is_even(n - 1); }

__device__ int queens(const int* above, int row, int size) {
  if (row == size) return 1;
  int columns[8], count = 0;
  for (int i = 0; i < row; ++i) columns[i] = above[i];
  for (int c = 0; c < size; ++c) {
    bool free_place = true;
    for (int i = 0; i < row; ++i)
      free_place &= columns[i] != c && columns[i] - c != row - i && c - columns[i] != row - i;
    columns[row] = c;
    if (free_place) count += queens(columns, row + 1, size);
  }
  return count;
}

__global__ void compute(int* out) {
  int t = threadIdx.x;
  out[t] = t < 16 ? fibonacci(t) : t < 32 ? is_even(t) : queens(nullptr, 0, t - 31);
}

int main() {
  int got[39] = {}, solutions[7] = {1, 0, 0, 2, 10, 4, 40}, a = 0, b = 1;
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaDeviceSetLimit(cudaLimitStackSize, 16384);
  compute<<<1, 38>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 38; ++i) {
    int want = i < 16 ? a : i < 32 ? i % 2 == 0 : solutions[i - 32];
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
    b += a;
    a = b - a;
  }
  std::puts("PASS");
}
