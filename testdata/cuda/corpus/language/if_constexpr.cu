// if constexpr chooses a kernel's code by type and value; the other branch need not compile for the type.
#include <cuda_runtime.h>

#include <cstdio>

template <typename T>
struct IsPointer {
  static constexpr bool kValue = false;
};
template <typename T>
struct IsPointer<T*> {
  static constexpr bool kValue = true;
};

template <bool kReverse, typename T>
__global__ void copy(T source, int* out) {
  int i = threadIdx.x, to = i;
  if constexpr (kReverse) to = blockDim.x - 1 - i;
  if constexpr (IsPointer<T>::kValue) {
    out[to] = source[i];
  } else {
    out[to] = source + i;
  }
}

int main() {
  int values[20], got[20] = {};
  for (int i = 0; i < 20; ++i) values[i] = i * i;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  copy<true><<<1, 20>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 20; ++i)
    if (got[i] != values[19 - i])
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], values[19 - i]), 1;
  copy<false><<<1, 20>>>(1000, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 20; ++i)
    if (got[i] != 1000 + i) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 1000 + i), 1;
  std::puts("PASS");
}
