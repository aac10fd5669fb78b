// cuda::atomic_ref with a loop around compare_exchange_weak.
// tasks: maximum
// insert: io device

#include <cuda/atomic>
__global__ void keep_largest(const int* in, int* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kIn) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> shared_best(*best);
  int seen = shared_best.load(cuda::memory_order_relaxed);
  while (in[i] > seen && !shared_best.compare_exchange_weak(seen, in[i], cuda::memory_order_relaxed)) {
  }
}
int main() {
  int* best = on_device(std::vector<int>{kLowest});
  keep_largest<<<(kIn + 127) / 128, 128>>>(on_device(read_inputs()), best);
  write_output(from_device(best, 1));
}
