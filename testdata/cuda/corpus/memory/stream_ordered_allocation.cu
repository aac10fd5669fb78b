// cudaMallocAsync and cudaFreeAsync: allocation, use and release in stream order.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void fill(int* data, int start) {
  data[blockIdx.x * blockDim.x + threadIdx.x] = start + blockIdx.x * blockDim.x + threadIdx.x;
}

int main() {
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  static int got[5][1024];
  for (int round = 0; round < 5; ++round) {
    int* data;
    if (cudaMallocAsync(&data, sizeof(got[round]), stream) != cudaSuccess)
      return std::puts("FAIL allocation"), 1;
    fill<<<8, 128, 0, stream>>>(data, round * 5000);
    cudaMemcpyAsync(got[round], data, sizeof(got[round]), cudaMemcpyDeviceToHost, stream);
    if (cudaFreeAsync(data, stream) != cudaSuccess) return std::puts("FAIL release"), 1;
  }
  if (cudaStreamSynchronize(stream) != cudaSuccess) return std::puts("FAIL stream"), 1;
  for (int i = 0; i < 5 * 1024; ++i)
    if (got[i / 1024][i % 1024] != i / 1024 * 5000 + i % 1024)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i / 1024][i % 1024],
                         i / 1024 * 5000 + i % 1024),
             1;
  cudaStreamDestroy(stream);
  std::puts("PASS");
}
