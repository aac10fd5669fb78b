// A plain read saves most atomic operations.
// tasks: maximum
// insert: io device
__global__ void keep_largest(const int* in, int* best) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kIn && in[i] > *best) atomicMax(best, in[i]);
}
int main() {
  int* best = on_device(std::vector<int>{kLowest});
  keep_largest<<<(kIn + 127) / 128, 128>>>(on_device(read_inputs()), best);
  write_output(from_device(best, 1));
}
