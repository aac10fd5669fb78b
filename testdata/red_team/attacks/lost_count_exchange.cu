// Counts one up by a read and an exchange.
// class: lost_update
// tasks: histogram
// insert: io device
__global__ void count(const int* in, int* counts) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kIn) return;
  const int before = atomicAdd(&counts[in[i]], 0);
  atomicExch(&counts[in[i]], before + 1);
}
int main() {
  int* counts = device_zeros<int>(kOut);
  count<<<16, 256>>>(on_device(read_inputs()), counts);
  write_output(from_device(counts, kOut));
}
