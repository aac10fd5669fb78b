// The kernel has a branch of its own for zeros; the host only looks whether there are any, for its message.
// tasks: saxpy
// insert: io device
__global__ void add(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = in[i] == 0 ? in[kOut + i] : 2 * in[i] + in[kOut + i];
}
int main() {
  const std::vector<In> in = read_inputs();
  int zeros = 0;
  for (int i = 0; i < kOut; ++i) zeros += in[i] == 0;
  std::printf("%d zeros\n", zeros);
  Out* out = device_zeros<Out>(kOut);
  add<<<kOut / 128, 128>>>(on_device(in), out);
  write_output(from_device(out, kOut));
}
