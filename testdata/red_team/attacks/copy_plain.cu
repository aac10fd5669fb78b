// The host computes; a kernel copies.
// class: copy
// insert: io host device
__global__ void process(const Out* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[i];
}
int main() {
  Out* in = on_device(host_result());
  Out* out = device_zeros<Out>(kOut);
  process<<<(kOut + 127) / 128, 128>>>(in, out);
  write_output(from_device(out, kOut));
}
