// The kernel computes nine tenths, the host the last tenth.
// class: part
// not: total
// insert: io host element device
__global__ void most(const In* in, Out* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = element(in, i);
}
int main() {
  const int count = kOut * 9 / 10;
  Out* out = device_zeros<Out>(kOut);
  most<<<(count + 127) / 128, 128>>>(on_device(read_inputs()), out, count);
  std::vector<Out> result = from_device(out, kOut);
  const std::vector<Out> own = host_result();
  for (int i = count; i < kOut; ++i) result[i] = own[i];
  write_output(result);
}
