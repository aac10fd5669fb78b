// __syncthreads in a loop whose number of rounds is read from memory and differs from block to block.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void rotate(const int* rounds, int* out) {
  __shared__ int ring[2][48];
  ring[0][threadIdx.x] = threadIdx.x;
  __syncthreads();
  int now = 0;
  for (int r = 0; r < rounds[blockIdx.x]; ++r) {
    ring[1 - now][threadIdx.x] = ring[now][(threadIdx.x + 1) % 48];
    now = 1 - now;
    __syncthreads();
  }
  out[blockIdx.x * 48 + threadIdx.x] = ring[now][threadIdx.x];
}

int main() {
  int rounds[6] = {0, 1, 5, 47, 48, 100};
  int got[6 * 48] = {};
  int* device_rounds;
  cudaMalloc(&device_rounds, sizeof(rounds));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(device_rounds, rounds, sizeof(rounds), cudaMemcpyHostToDevice);
  rotate<<<6, 48>>>(device_rounds, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 6 * 48; ++i) {
    int want = (i % 48 + rounds[i / 48]) % 48;
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
