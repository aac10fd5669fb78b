// Static shared memory whose type and size come from template parameters.
#include <cuda_runtime.h>

#include <cstdio>

template <typename T, int kSize>
__global__ void neighbour_difference(const T* in, T* out) {
  __shared__ T tile[kSize + 1];
  tile[threadIdx.x] = in[threadIdx.x];
  if (threadIdx.x == 0) tile[kSize] = in[0];
  __syncthreads();
  out[threadIdx.x] = tile[threadIdx.x + 1] - tile[threadIdx.x];
}

template <typename T, int kSize>
bool right() {
  T values[kSize], got[kSize] = {};
  for (int i = 0; i < kSize; ++i) values[i] = static_cast<T>(i * i % 97);
  T* in;
  cudaMalloc(&in, sizeof(values));
  T* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  neighbour_difference<T, kSize><<<1, kSize>>>(in, out);
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < kSize; ++i)
    if (got[i] != static_cast<T>(values[(i + 1) % kSize] - values[i])) return false;
  return true;
}

int main() {
  if (!right<int, 64>()) return std::puts("FAIL int, 64"), 1;
  if (!right<double, 100>()) return std::puts("FAIL double, 100"), 1;
  if (!right<unsigned char, 256>()) return std::puts("FAIL unsigned char, 256"), 1;
  if (!right<long long, 33>()) return std::puts("FAIL long long, 33"), 1;
  std::puts("PASS");
}
