// Static shared memory: a block reverses its part of an array through it.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reverse(int* data) {
  __shared__ int tile[128];
  int* mine = data + blockIdx.x * 128;
  tile[threadIdx.x] = mine[threadIdx.x];
  __syncthreads();
  mine[threadIdx.x] = tile[127 - threadIdx.x];
}

int main() {
  static int values[1024];
  for (int i = 0; i < 1024; ++i) values[i] = i * 3 + 1;
  int* data;
  cudaMalloc(&data, sizeof(values));
  cudaMemcpy(data, values, sizeof(values), cudaMemcpyHostToDevice);
  reverse<<<8, 128>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(values, data, sizeof(values), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 1024; ++i) {
    int want = (i / 128 * 128 + 127 - i % 128) * 3 + 1;
    if (values[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, values[i], want), 1;
  }
  std::puts("PASS");
}
