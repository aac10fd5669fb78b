// Lanes with the same label elect one of them, which adds for all.
// tasks: histogram
// insert: io device
__global__ void count(const int* in, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned same = __match_any_sync(~0u, in[i]);
  if (__ffs(same) - 1 == threadIdx.x % 32) atomicAdd(&counts[in[i]], __popc(same));
}
int main() {
  int* counts = device_zeros<int>(kOut);
  count<<<kIn / 128, 128>>>(on_device(read_inputs()), counts);
  write_output(from_device(counts, kOut));
}
