// A kernel copies the inputs; the host computes from what it got back and uploads; a kernel copies again.
// class: round_trip
// insert: io host device
template <typename T>
__global__ void pass_on(const T* in, T* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = in[i];
}
int main() {
  In* copy = device_zeros<In>(kIn);
  pass_on<<<(kIn + 127) / 128, 128>>>(on_device(read_inputs()), copy, kIn);
  const std::vector<In> in = from_device(copy, kIn);
  std::vector<Out> result(kOut);
  host_compute(in.data(), result.data());
  Out* out = device_zeros<Out>(kOut);
  pass_on<<<(kOut + 127) / 128, 128>>>(on_device(result), out, kOut);
  write_output(from_device(out, kOut));
}
