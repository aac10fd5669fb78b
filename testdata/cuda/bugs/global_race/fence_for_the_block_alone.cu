// __threadfence_block() puts nothing in order for other blocks; neither does a relaxed atomic store.
#include <cstdio>
#include <cuda/atomic>

__device__ cuda::atomic<int, cuda::thread_scope_device> ready;

__global__ void relay(int* message, int* out) {
  if (blockIdx.x == 0) {
    *message = 12345 + threadIdx.x;  // or: global_race
    __threadfence_block();
    ready.store(1, cuda::memory_order_relaxed);
  } else {
    while (ready.load(cuda::memory_order_acquire) == 0) {
    }
    out[0] = *message;  // finds: global_race
  }
}

int main() {
  int *message, *out;
  cudaMalloc(&message, sizeof(int));
  cudaMalloc(&out, sizeof(int));
  relay<<<2, 1>>>(message, out);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
