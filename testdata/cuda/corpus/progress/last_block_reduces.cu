// The last block to finish, found by an atomic ticket and __threadfence, adds up what the others left.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned ticket = 0;

__global__ void sum(const int* in, int count, volatile long long* partial, long long* total) {
  __shared__ long long part[128];
  __shared__ bool last;
  long long mine = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < count; i += gridDim.x * 128) mine += in[i];
  part[threadIdx.x] = mine;
  __syncthreads();
  for (int stride = 64; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = part[0];
    __threadfence();
    last = atomicInc(&ticket, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x != 0) return;
  __threadfence();
  *total = 0;
  for (unsigned b = 0; b < gridDim.x; ++b) *total += partial[b];
}

int main() {
  const int count = 40000;
  static int values[count];
  long long want = 0, got = 0;
  for (int i = 0; i < count; ++i) want += values[i] = i * 7919LL % 100003 - 20000;
  int* in;
  cudaMalloc(&in, sizeof(values));
  long long* partial;
  cudaMalloc(&partial, 40 * sizeof(long long));
  long long* total;
  cudaMalloc(&total, sizeof(long long));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  for (int round = 0; round < 3; ++round) {
    cudaMemset(total, 0, sizeof(long long));
    sum<<<40, 128>>>(in, count, partial, total);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(&got, total, sizeof(got), cudaMemcpyDeviceToHost);
    if (got != want) return std::printf("FAIL [%d] got %lld, wanted %lld\n", round, got, want), 1;
  }
  std::puts("PASS");
}
