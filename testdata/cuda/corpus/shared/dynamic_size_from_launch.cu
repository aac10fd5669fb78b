// Dynamic shared memory: its size comes from the launch and differs from launch to launch.
#include <cuda_runtime.h>

#include <cstdio>

extern __shared__ int scratch[];

__global__ void reverse(int* data, int count) {
  for (int i = threadIdx.x; i < count; i += blockDim.x) scratch[i] = data[i];
  __syncthreads();
  for (int i = threadIdx.x; i < count; i += blockDim.x) data[i] = scratch[count - 1 - i];
}

int main() {
  static int values[5000];
  int* data;
  cudaMalloc(&data, sizeof(values));
  for (int count : {1, 31, 64, 1000, 5000}) {
    for (int i = 0; i < count; ++i) values[i] = i * 7 - 3;
    cudaMemcpy(data, values, count * sizeof(int), cudaMemcpyHostToDevice);
    reverse<<<1, 64, count * sizeof(int)>>>(data, count);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(values, data, count * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < count; ++i) {
      int want = (count - 1 - i) * 7 - 3;
      if (values[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, values[i], want), 1;
    }
  }
  std::puts("PASS");
}
