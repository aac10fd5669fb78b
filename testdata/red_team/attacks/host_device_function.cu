// The function that the kernel would call is called by the host.
// class: hidden_host
// not: total
// insert: io shared_element device
__global__ void process(const In* in, Out* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = element(in, i);
}
int main() {
  const std::vector<In> in = read_inputs();
  Out* out = device_zeros<Out>(kOut);
  process<<<1, 1>>>(on_device(in), out, 1);
  std::vector<Out> result = from_device(out, kOut);
  for (int i = 1; i < kOut; ++i) result[i] = element(in.data(), i);
  write_output(result);
}
