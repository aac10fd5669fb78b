// Sum of an array: shuffles in warps, shared memory between warps, one atomic per block.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum(const int* in, int count, int* total) {
  __shared__ int warps[8];
  int value = 0, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) value += in[i];
  for (int offset = 16; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
  if (lane == 0) warps[warp] = value;
  __syncthreads();
  if (warp == 0) {
    value = lane < 8 ? warps[lane] : 0;
    for (int offset = 4; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffffu, value, offset);
    if (lane == 0) atomicAdd(total, value);
  }
}

int main() {
  const int count = 123457;
  static int values[count];
  int want = 0, got = 0;
  for (int i = 0; i < count; ++i) want += values[i] = i % 2003 - 1000;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* total;
  cudaMalloc(&total, sizeof(int));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemset(total, 0, sizeof(int));
  sum<<<30, 256>>>(in, count, total);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(&got, total, sizeof(got), cudaMemcpyDeviceToHost);
  if (got != want) return std::printf("FAIL [%d] got %d, wanted %d\n", 0, got, want), 1;
  std::puts("PASS");
}
