// 1024 threads in one block, in three dimensions, with a barrier and shared memory for all of them.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void rotate(int* out) {
  __shared__ int ring[1024];
  int t = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  ring[t] = t * 3 + blockIdx.x;
  __syncthreads();
  out[blockIdx.x * 1024 + t] = ring[(t + 700) % 1024] - ring[(t + 1) % 1024];
}

int main() {
  static int got[4096];
  int* out;
  cudaMalloc(&out, sizeof(got));
  rotate<<<4, dim3(32, 8, 4)>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 4096; ++i) {
    int t = i % 1024;
    if (got[i] != ((t + 700) % 1024 - (t + 1) % 1024) * 3)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], ((t + 700) % 1024 - (t + 1) % 1024) * 3),
             1;
  }
  std::puts("PASS");
}
