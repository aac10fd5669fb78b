// Clusters: __cluster_dims__ at compile time; each block reads and writes the shared memory of the next one.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>

namespace cg = cooperative_groups;

__global__ void __cluster_dims__(4, 1, 1) pass_on(const int* in, int* out, int rounds) {
  __shared__ int here[2][64];
  cg::cluster_group cluster = cg::this_cluster();
  const unsigned next = (cluster.block_rank() + 1) % cluster.num_blocks();
  const int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  here[0][t] = in[i];
  cluster.sync();
  for (int round = 0; round < rounds; ++round) {
    int(*there)[64] = cluster.map_shared_rank(here, next);
    there[1 - round % 2][t] = here[round % 2][(t + 1) % 64] + round;
    cluster.sync();
  }
  out[i] = here[rounds % 2][t] * 2 + cluster.map_shared_rank(&here[rounds % 2][0], next)[63 - t];
  cluster.sync();  // nobody ends while others read
}

int main() {
  const int blocks = 12, n = blocks * 64, rounds = 5;
  static int in[n], now[n], next[n], got[n];
  for (int i = 0; i < n; ++i) now[i] = in[i] = i * 37 % 1009;
  int* device;
  cudaMalloc(&device, 2 * sizeof(in));
  cudaMemcpy(device, in, sizeof(in), cudaMemcpyHostToDevice);
  pass_on<<<blocks, 64>>>(device, device + n, rounds);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, device + n, sizeof(got), cudaMemcpyDeviceToHost);
  for (int round = 0; round < rounds; ++round) {
    for (int b = 0; b < blocks; ++b)
      for (int t = 0; t < 64; ++t)
        next[(b / 4 * 4 + (b + 1) % 4) * 64 + t] = now[b * 64 + (t + 1) % 64] + round;
    for (int i = 0; i < n; ++i) now[i] = next[i];
  }
  for (int i = 0; i < n; ++i) {
    const int b = i / 64, neighbor = b / 4 * 4 + (b + 1) % 4;
    const int want = now[i] * 2 + now[neighbor * 64 + 63 - i % 64];
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
