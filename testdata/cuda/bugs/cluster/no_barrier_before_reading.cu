// Blocks of a cluster read what their neighbor has not written yet.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void __cluster_dims__(2) sum(const int* in, int* out) {
  __shared__ int part[32];
  const auto cluster = cooperative_groups::this_cluster();
  part[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  const int* other = cluster.map_shared_rank(part, cluster.block_rank() ^ 1);
  out[blockIdx.x * 32 + threadIdx.x] = part[threadIdx.x] + other[threadIdx.x];  // finds: uninitialised_read
  cluster.sync();
}

int main() {
  int *in, *out;
  cudaMalloc(&in, 128 * sizeof(int));
  cudaMalloc(&out, 128 * sizeof(int));
  cudaMemset(in, 0, 128 * sizeof(int));
  sum<<<4, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
