// The host computes and uploads four times the result; a kernel divides.
// class: copy
// insert: io host device
__global__ void scale(const Out* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[i] / 4;
}
int main() {
  std::vector<Out> result = host_result();
  for (Out& value : result) value *= 4;
  Out* in = on_device(result);
  Out* out = device_zeros<Out>(kOut);
  scale<<<(kOut + 127) / 128, 128>>>(in, out);
  write_output(from_device(out, kOut));
}
