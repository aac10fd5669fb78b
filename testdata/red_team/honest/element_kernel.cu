// One thread per output, each on its own.
// insert: io element device
__global__ void each(const In* __restrict__ in, Out* __restrict__ out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = element(in, i);
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  each<<<(kOut + 63) / 64, 64>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
