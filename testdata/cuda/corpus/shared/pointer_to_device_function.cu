// Pointers to shared and to global memory passed to the same device function.
#include <cuda_runtime.h>

#include <cstdio>

__device__ __noinline__ int sum_of(const int* values, int count) {
  int sum = 0;
  for (int i = 0; i < count; ++i) sum += values[i];
  return sum;
}

__global__ void sums(const int* global, int* out) {
  __shared__ int local[50];
  for (int i = threadIdx.x; i < 50; i += blockDim.x) local[i] = global[i] * 2;
  __syncthreads();
  const int* chosen = threadIdx.x % 2 ? local : global;
  out[threadIdx.x] = sum_of(chosen + threadIdx.x, 10);
}

int main() {
  int values[50], got[32] = {};
  for (int i = 0; i < 50; ++i) values[i] = i * i;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  sums<<<1, 32>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 32; ++t) {
    int want = 0;
    for (int i = t; i < t + 10; ++i) want += i * i * (t % 2 + 1);
    if (got[t] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", t, got[t], want), 1;
  }
  std::puts("PASS");
}
