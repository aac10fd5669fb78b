// A message is passed on: block 0 tells block 1, which tells block 2, with release and acquire, a fence and inline PTX.
#include <cstdio>
#include <cuda/atomic>

__device__ cuda::atomic<int, cuda::thread_scope_device> first;
__device__ int second;

__global__ void relay(int* message, int* out) {
  if (blockIdx.x == 0) {
    *message = 42;
    first.store(1);
  } else if (blockIdx.x == 1) {
    while (first.load(cuda::memory_order_acquire) == 0) {
    }
    asm volatile("st.release.gpu.global.s32 [%0], %1;" ::"l"(&second), "r"(7) : "memory");
  } else {
    int seen = 0;
    while (seen == 0)
      asm volatile("ld.acquire.gpu.global.s32 %0, [%1];" : "=r"(seen) : "l"(&second) : "memory");
    *out = *message + seen;
  }
}

int main() {
  int *message, *out, result = 0;
  cudaMalloc(&message, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  relay<<<3, 1>>>(message, out);
  cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", result);
  return result != 49;
}
