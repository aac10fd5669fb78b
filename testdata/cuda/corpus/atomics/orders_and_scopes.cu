// The atomic functions that take a memory order and a scope: fetch, exchange, compare and exchange, load and store.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void count(unsigned* counters, int* largest, float* sum) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __nv_atomic_fetch_add(&counters[0], 1u, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(&counters[1], 1u << (i % 32), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(largest, static_cast<int>(i), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_add(sum, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  unsigned seen = __nv_atomic_load_n(&counters[2], __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  while (!__nv_atomic_compare_exchange_n(&counters[2], &seen, seen + 2, false, __NV_ATOMIC_ACQ_REL,
                                         __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE)) {
  }
  if (i == 0) __nv_atomic_store_n(&counters[3], 41u, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
}

int main() {
  unsigned* counters;
  int* largest;
  float* sum;
  cudaMallocManaged(&counters, 4 * sizeof(unsigned));
  cudaMallocManaged(&largest, sizeof(int));
  cudaMallocManaged(&sum, sizeof(float));
  for (int i = 0; i < 4; ++i) counters[i] = 0;
  *largest = -1;
  *sum = 0;
  count<<<4, 64>>>(counters, largest, sum);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL launch"), 1;
  if (counters[0] != 256 || counters[1] != 0xffffffffu || counters[2] != 512 || counters[3] != 41 ||
      *largest != 255 || *sum != 128)
    return std::printf("FAIL %u %x %u %u %d %g\n", counters[0], counters[1], counters[2], counters[3],
                       *largest, *sum),
           1;
  std::puts("PASS");
}
