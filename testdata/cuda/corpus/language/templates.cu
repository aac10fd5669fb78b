// Template kernels and functions: types, values, defaults, specialisation, a template of a template.
#include <cuda_runtime.h>

#include <cstdio>

template <typename T>
struct Traits {
  static constexpr int kWeight = 1;
};
template <>
struct Traits<double> {
  static constexpr int kWeight = 8;
};

template <typename T, int kTimes = 3>
__device__ T repeat(T value) {
  T sum = 0;
#pragma unroll
  for (int i = 0; i < kTimes; ++i) sum += value;
  return sum * Traits<T>::kWeight;
}

template <typename T, template <typename> class Rule>
__global__ void apply(T* data) {
  data[threadIdx.x] = repeat<T>(data[threadIdx.x]) + repeat<T, 2>(T(1)) + Rule<T>::kWeight;
}

template <typename T>
bool right(T weight) {
  T values[16], got[16] = {};
  for (int i = 0; i < 16; ++i) values[i] = T(i * 2);
  T* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  apply<T, Traits><<<1, 16>>>(data);
  cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 16; ++i)
    if (got[i] != (values[i] * 3 + 2) * weight + weight) return false;
  return true;
}

int main() {
  if (!right<int>(1)) return std::puts("FAIL int"), 1;
  if (!right<float>(1)) return std::puts("FAIL float"), 1;
  if (!right<double>(8)) return std::puts("FAIL double"), 1;
  std::puts("PASS");
}
