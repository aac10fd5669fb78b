// The host computes; two kernels copy one half each.
// class: copy
// insert: io host device
__global__ void first_half(const Out* in, Out* out) {
  for (int i = threadIdx.x; i < kOut / 2; i += blockDim.x) out[i] = in[i];
}
__global__ void second_half(const Out* in, Out* out) {
  for (int i = kOut / 2 + threadIdx.x; i < kOut; i += blockDim.x) out[i] = in[i];
}
int main() {
  Out* in = on_device(host_result());
  Out* out = device_zeros<Out>(kOut);
  first_half<<<1, 128>>>(in, out);
  second_half<<<1, 128>>>(in, out);
  write_output(from_device(out, kOut));
}
