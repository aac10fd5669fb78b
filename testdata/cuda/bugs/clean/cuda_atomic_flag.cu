// A message between blocks with cuda::atomic: release and acquire.
#include <cstdio>
#include <cuda/atomic>

__device__ cuda::atomic<int, cuda::thread_scope_device> flag;

__global__ void relay(int* data, int* out) {
  if (blockIdx.x == 0) {
    data[0] = 42;
    flag.store(1, cuda::memory_order_release);
  } else {
    while (flag.load(cuda::memory_order_acquire) == 0) {
    }
    *out = data[0];
  }
}

int main() {
  int *data, *out, result = 0;
  cudaMalloc(&data, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  relay<<<2, 1>>>(data, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 42;
}
