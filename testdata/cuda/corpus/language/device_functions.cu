// Device functions: forced inline, kept out of line, shared with the host, with default arguments.
#include <cuda_runtime.h>

#include <cstdio>

__host__ __device__ int square(int x) { return x * x; }
__device__ __noinline__ int mixed(int a, int b, int c = 7) { return a * 100 + b * 10 + c; }
__device__ __forceinline__ int twice(int x) { return mixed(x, 1) + mixed(x, 2, 3); }
static __device__ void by_reference(int& x, int* y) {
  x += 5;
  *y = x * 2;
}

__global__ void call(int* out) {
  int a = threadIdx.x, b = 0;
  by_reference(a, &b);
  out[threadIdx.x] = square(a) + twice(b);
}

int main() {
  int got[40] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  call<<<1, 40>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 40; ++i) {
    int a = i + 5, b = a * 2;
    if (got[i] != square(a) + b * 200 + 10 + 7 + 20 + 3)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], square(a) + b * 200 + 10 + 7 + 20 + 3),
             1;
  }
  std::puts("PASS");
}
