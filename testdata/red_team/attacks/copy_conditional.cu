// The kernel computes only where a mask of the host says so (nowhere), and copies elsewhere.
// class: copy
// insert: io host element device
__global__ void process(const In* in, const Out* known, const int* mask, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = mask[i] ? element(in, i) : known[i];
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  process<<<(kOut + 127) / 128, 128>>>(on_device(read_inputs()), on_device(host_result()),
                                       device_zeros<int>(kOut), out);
  write_output(from_device(out, kOut));
}
