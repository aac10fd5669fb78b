// An atomic load and an atomic store are two steps, whatever their order.
// class: lost_update
// tasks: maximum
// insert: io device

#include <cuda/atomic>
__global__ void keep_largest(const int* in, int* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kIn) return;
  cuda::atomic_ref<int, cuda::thread_scope_device> shared_best(*best);
  if (in[i] > shared_best.load()) shared_best.store(in[i]);
}
int main() {
  int* best = on_device(std::vector<int>{kLowest});
  keep_largest<<<(kIn + 127) / 128, 128>>>(on_device(read_inputs()), best);
  write_output(from_device(best, 1));
}
