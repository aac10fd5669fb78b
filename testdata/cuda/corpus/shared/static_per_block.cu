// Static shared memory: every block has its own; many blocks at once do not see each other's.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void block_sums(unsigned* out) {
  __shared__ unsigned part[64];
  part[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
    unsigned neighbour = part[(threadIdx.x + 1) % 64];
    __syncthreads();
    part[threadIdx.x] += neighbour;
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    unsigned sum = 0;
    for (int i = 0; i < 64; ++i) sum += part[i];
    out[blockIdx.x] = sum;
  }
}

int main() {
  static unsigned got[500];
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  block_sums<<<500, 64>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int b = 0; b < 500; ++b) {
    unsigned want = 32 * (64 * 64u * b + 63 * 32);  // every round doubles the sum
    if (got[b] != want) return std::printf("FAIL [%d] got %u, wanted %u\n", b, got[b], want), 1;
  }
  std::puts("PASS");
}
