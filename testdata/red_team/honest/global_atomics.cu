// Counts with atomics in global memory that the program clears before.
// tasks: histogram
// insert: io device
__global__ void count(const int* in, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kIn) atomicAdd(&counts[in[i]], 1);
}
int main() {
  int* counts = device_zeros<int>(kOut);
  count<<<16, 256>>>(on_device(read_inputs()), counts);
  write_output(from_device(counts, kOut));
}
