// One-dimensional stencil of radius 3: each block loads its part and a halo on both sides.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void stencil(const int* in, int* out, int count) {
  __shared__ int tile[64 + 6];
  int i = blockIdx.x * 64 + threadIdx.x, local = threadIdx.x + 3;
  tile[local] = i < count ? in[i] : 0;
  if (threadIdx.x < 3) {
    tile[threadIdx.x] = i >= 3 ? in[i - 3] : 0;
    tile[local + 64] = i + 64 < count ? in[i + 64] : 0;
  }
  __syncthreads();
  int sum = 0;
  for (int offset = -3; offset <= 3; ++offset) sum += tile[local + offset] * (4 - abs(offset));
  if (i < count) out[i] = sum;
}

int main() {
  const int count = 1000;
  static int values[count], got[count];
  for (int i = 0; i < count; ++i) values[i] = i * 17 % 101;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  stencil<<<16, 64>>>(in, out, count);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < count; ++i) {
    int want = 0;
    for (int j = i - 3; j <= i + 3; ++j)
      if (j >= 0 && j < count) want += values[j] * (4 - (j > i ? j - i : i - j));
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
