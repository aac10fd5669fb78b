// Lambdas inside device code: captures by value and by reference, generic, passed to a template function.
#include <cuda_runtime.h>

#include <cstdio>

template <typename Function>
__device__ int sum_over(int count, Function function) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += function(i);
  return sum;
}

__global__ void compute(int* out) {
  int t = threadIdx.x, calls = 0;
  auto by_value = [t](int i) { return i * t; };
  auto by_reference = [&](int i) {
    ++calls;
    return i + t;
  };
  auto generic = [](auto a, auto b) { return a < b ? a : b; };
  auto counting = [n = t]() mutable { return n++; };
  int sum = sum_over(5, by_value) * 1000 + sum_over(4, by_reference);
  out[t] = sum + calls * 100000000 + generic(t, 3) + static_cast<int>(generic(1.5, 2.5) * 2) + counting() +
           counting();
}

int main() {
  int got[10] = {};
  int* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<1, 10>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 10; ++t) {
    int want = 10 * t * 1000 + 6 + 4 * t + 400000000 + (t < 3 ? t : 3) + 3 + t + t + 1;
    if (got[t] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t], want), 1;
  }
  std::puts("PASS");
}
