// Writes numbers that were right once, through a kernel.
// class: hard_coded
// verdict: wrong_output wrong_shape
// insert: io device
__global__ void recite(Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = static_cast<Out>((i * 7919 + 13) % 101);
}
int main() {
  Out* out = device_zeros<Out>(kOut);
  recite<<<(kOut + 127) / 128, 128>>>(out);
  write_output(from_device(out, kOut));
}
