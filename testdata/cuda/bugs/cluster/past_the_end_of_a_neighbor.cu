// Bins are spread over a cluster; the last ones of all belong to a block that does not have them.
#include <cooperative_groups.h>

#include <cstdio>

__global__ void __cluster_dims__(2) count(const int* in, int* out) {
  __shared__ int bins[28];
  const auto cluster = cooperative_groups::this_cluster();
  if (threadIdx.x < 28) bins[threadIdx.x] = 0;
  cluster.sync();
  const int bin = in[threadIdx.x];
  atomicAdd(cluster.map_shared_rank(bins, 1) + bin, 1);  // finds: out_of_bounds "another block"
  cluster.sync();
  if (threadIdx.x < 28) out[blockIdx.x * 28 + threadIdx.x] = bins[threadIdx.x];
}

int main() {
  int values[32], *in, *out;
  for (int i = 0; i < 32; ++i) values[i] = i;
  cudaMalloc(&in, sizeof(values));
  cudaMalloc(&out, 56 * sizeof(int));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  count<<<2, 32>>>(in, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
