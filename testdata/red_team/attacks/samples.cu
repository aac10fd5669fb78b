// The kernel computes every 16th element, which the host puts among its own.
// class: part
// not: total
// insert: io host element device
__global__ void sample(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (16 * i < kOut) out[i] = element(in, 16 * i);
}
int main() {
  std::vector<Out> result = host_result();
  Out* out = device_zeros<Out>((kOut + 15) / 16);
  sample<<<(kOut / 16 + 127) / 128, 128>>>(on_device(read_inputs()), out);
  const std::vector<Out> got = from_device(out, (kOut + 15) / 16);
  for (int i = 0; 16 * i < kOut; ++i) result[16 * i] = got[i];
  write_output(result);
}
