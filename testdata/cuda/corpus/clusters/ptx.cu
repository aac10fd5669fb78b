// Clusters in inline PTX: special registers, mapa, accesses in the shared memory of the cluster, barrier.cluster.
#include <cuda_runtime.h>

#include <cstdio>

__device__ unsigned shared_address(const void* address) {
  return static_cast<unsigned>(__cvta_generic_to_shared(address));
}

__global__ void __cluster_dims__(3, 2, 1) exchange(unsigned* out) {
  __shared__ unsigned mine[2];
  unsigned rank, blocks, x, y, cluster, clusters, width;
  asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(blocks));
  asm("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(x));
  asm("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(y));
  asm("mov.u32 %0, %%clusterid.x;" : "=r"(cluster));
  asm("mov.u32 %0, %%nclusterid.x;" : "=r"(clusters));
  asm("mov.u32 %0, %%cluster_nctaid.x;" : "=r"(width));
  if (threadIdx.x == 0) mine[0] = 1000 * blockIdx.y + blockIdx.x;
  if (threadIdx.x == 0) mine[1] = 7;
  asm volatile("barrier.cluster.arrive.release.aligned;\nbarrier.cluster.wait.acquire.aligned;" ::: "memory");
  unsigned there, value, owner;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
               : "=r"(there)
               : "r"(shared_address(mine)), "r"((rank + 1) % blocks));
  asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(there) : "memory");
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(owner) : "r"(there));
  if (threadIdx.x < 4)
    asm volatile("red.shared::cluster.add.u32 [%0+4], %1;" ::"r"(there), "r"(rank + 1) : "memory");
  asm volatile("barrier.cluster.arrive;\nbarrier.cluster.wait;" ::: "memory");
  unsigned sum;
  asm volatile("ld.shared.u32 %0, [%1+4];" : "=r"(sum) : "r"(shared_address(mine)) : "memory");
  if (threadIdx.x == 9) {
    unsigned* place = out + 8 * (blockIdx.y * gridDim.x + blockIdx.x);
    const unsigned values[8] = {rank, blocks, x * 10 + y, cluster, clusters * 10 + width, value, owner, sum};
    for (int i = 0; i < 8; ++i) place[i] = values[i];
  }
}

int main() {
  const unsigned columns = 6, rows = 4;
  static unsigned got[columns * rows * 8];
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemset(out, 0xee, sizeof(got));
  exchange<<<dim3(columns, rows), 32>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (unsigned block = 0; block < columns * rows; ++block) {
    const unsigned x = block % columns, y = block / columns, rank = y % 2 * 3 + x % 3, next = (rank + 1) % 6;
    const unsigned next_x = x / 3 * 3 + next % 3, next_y = y / 2 * 2 + next / 3;
    const unsigned want[8] = {
        rank, 6, x % 3 * 10 + y % 2, x / 3, 23, 1000 * next_y + next_x, next, 7 + 4 * ((rank + 5) % 6 + 1)};
    for (int i = 0; i < 8; ++i)
      if (got[block * 8 + i] != want[i])
        return std::printf("FAIL block %u, value %d: got %u, wanted %u\n", block, i, got[block * 8 + i],
                           want[i]),
               1;
  }
  std::puts("PASS");
}
