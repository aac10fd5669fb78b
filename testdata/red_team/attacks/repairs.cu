// A kernel with a bug; the host recomputes and replaces what differs.
// class: round_trip
// insert: io host element device
__global__ void wrong(const In* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = element(in, i) + Out(i % 2);
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  wrong<<<(kOut + 127) / 128, 128>>>(on_device(read_inputs()), out);
  std::vector<Out> got = from_device(out, kOut);
  const std::vector<Out> own = host_result();
  for (int i = 0; i < kOut; ++i)
    if (got[i] != own[i]) got[i] = own[i];
  write_output(got);
}
