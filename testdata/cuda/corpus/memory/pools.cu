// A memory pool of the program's own: allocations in stream order, attributes, the pool that a device uses.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

__global__ void square(int* values) { values[threadIdx.x] = static_cast<int>(threadIdx.x * threadIdx.x); }

int main() {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location.type = cudaMemLocationTypeDevice;
  properties.location.id = 0;
  cudaMemPool_t pool, standard, current;
  if (cudaMemPoolCreate(&pool, &properties) != cudaSuccess) return std::puts("FAIL create"), 1;
  uint64_t threshold = 1 << 20, got = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &got);
  if (got != threshold) return std::puts("FAIL threshold"), 1;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int* values;
  if (cudaMallocFromPoolAsync(&values, 64 * sizeof(int), pool, stream) != cudaSuccess)
    return std::puts("FAIL allocation"), 1;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &got);
  if (got < 64 * sizeof(int)) return std::puts("FAIL used"), 1;
  square<<<1, 64, 0, stream>>>(values);
  int back[64];
  cudaMemcpyAsync(back, values, sizeof back, cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(values, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return std::puts("FAIL work"), 1;
  for (int i = 0; i < 64; ++i)
    if (back[i] != i * i) return std::printf("FAIL [%d] %d\n", i, back[i]), 1;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &got);
  if (got != 0) return std::puts("FAIL still used"), 1;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &got);
  if (got < 64 * sizeof(int)) return std::puts("FAIL peak"), 1;

  cudaDeviceGetDefaultMemPool(&standard, 0);
  cudaDeviceSetMemPool(0, pool);
  cudaDeviceGetMemPool(&current, 0);
  if (current != pool || standard == pool) return std::puts("FAIL the device's pool"), 1;
  cudaDeviceSetMemPool(0, standard);
  if (cudaMemPoolDestroy(pool) != cudaSuccess) return std::puts("FAIL destroy"), 1;
  std::puts("PASS");
}
