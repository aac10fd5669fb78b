// Scan in one pass: blocks take numbers by atomics and wait for the sum that the block before them publishes.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned next_tile = 0;

__global__ void scan(const int* in, int* out, volatile int* sums, volatile int* ready) {
  __shared__ int cells[64];
  __shared__ int tile, before;
  if (threadIdx.x == 0) tile = static_cast<int>(atomicAdd(&next_tile, 1u));
  __syncthreads();
  cells[threadIdx.x] = in[tile * 64 + threadIdx.x];
  for (int offset = 1; offset < 64; offset *= 2) {
    __syncthreads();
    int left = threadIdx.x >= offset ? cells[threadIdx.x - offset] : 0;
    __syncthreads();
    cells[threadIdx.x] += left;
  }
  if (threadIdx.x == 63) {
    while (tile > 0 && ready[tile - 1] == 0) {
    }
    __threadfence();
    before = tile > 0 ? sums[tile - 1] : 0;
    sums[tile] = before + cells[63];
    __threadfence();
    ready[tile] = 1;
  }
  __syncthreads();
  out[tile * 64 + threadIdx.x] = before + cells[threadIdx.x];
}

int main() {
  static int values[6400], got[6400];
  for (int i = 0; i < 6400; ++i) values[i] = i * 31 % 19 - 7;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(values));
  int* state;
  cudaMalloc(&state, 200 * sizeof(int));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemset(state, 0, 200 * sizeof(int));
  scan<<<100, 64>>>(in, out, state, state + 100);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0, want = 0; i < 6400; ++i) {
    want += values[i];
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
