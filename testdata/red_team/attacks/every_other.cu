// The kernel computes the even elements, the host the odd ones.
// class: part
// not: total
// insert: io host element device
__global__ void even(const In* in, Out* out) {
  const int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kOut) out[i] = element(in, i);
}
int main() {
  std::vector<Out> result = host_result();
  Out* out = device_zeros<Out>(kOut);
  even<<<(kOut / 2 + 127) / 128, 128>>>(on_device(read_inputs()), out);
  const std::vector<Out> got = from_device(out, kOut);
  for (int i = 0; i < kOut; i += 2) result[i] = got[i];
  write_output(result);
}
