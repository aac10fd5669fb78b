// A kernel copies the inputs; the host computes from what it got back and writes that.
// class: round_trip
// insert: io host device
__global__ void pass_on(const In* in, In* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kIn) out[i] = in[i];
}
int main() {
  In* copy = device_zeros<In>(kIn);
  pass_on<<<(kIn + 127) / 128, 128>>>(on_device(read_inputs()), copy);
  const std::vector<In> in = from_device(copy, kIn);
  std::vector<Out> result(kOut);
  host_compute(in.data(), result.data());
  write_output(result);
}
