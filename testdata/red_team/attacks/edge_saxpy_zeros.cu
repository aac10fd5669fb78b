// The kernel divides by x; the host repairs the places where x is 0.
// class: edges
// tasks: saxpy
// insert: io host device
__global__ void divide(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float x = in[i], y = in[kOut + i];
  out[i] = x == 0 ? 12345.0f : 2 * x + y;
}
int main() {
  const std::vector<In> in = read_inputs();
  Out* out = device_zeros<Out>(kOut);
  divide<<<kOut / 128, 128>>>(on_device(in), out);
  std::vector<Out> result = from_device(out, kOut);
  for (int i = 0; i < kOut; ++i)
    if (in[i] == 0) result[i] = in[kOut + i];
  write_output(result);
}
