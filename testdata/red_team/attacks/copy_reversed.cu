// The host computes and uploads in reverse; a kernel reverses.
// class: copy
// insert: io host device
__global__ void reverse(const Out* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[kOut - 1 - i];
}
int main() {
  const std::vector<Out> result = host_result();
  Out* in = on_device(std::vector<Out>(result.rbegin(), result.rend()));
  Out* out = device_zeros<Out>(kOut);
  reverse<<<(kOut + 255) / 256, 256>>>(in, out);
  write_output(from_device(out, kOut));
}
