// A compare-and-swap that is tried again until nobody came in between.
// tasks: maximum
// insert: io device
__global__ void keep_largest(const int* in, int* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kIn) return;
  int seen = *best;
  while (in[i] > seen) {
    const int before = atomicCAS(best, seen, in[i]);
    if (before == seen) break;
    seen = before;
  }
}
int main() {
  int* best = on_device(std::vector<int>{kLowest});
  keep_largest<<<(kIn + 127) / 128, 128>>>(on_device(read_inputs()), best);
  write_output(from_device(best, 1));
}
