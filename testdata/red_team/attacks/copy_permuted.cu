// The host computes and shuffles; a kernel gathers by an index that goes up, too.
// class: copy
// insert: io host device
__global__ void gather(const Out* in, const int* from, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[from[i]];
}
int main() {
  const std::vector<Out> result = host_result();
  std::vector<Out> shuffled(kOut);
  std::vector<int> from(kOut);
  unsigned draw = 1;
  for (int i = 0; i < kOut; ++i) from[i] = i;
  for (int i = kOut - 1; i > 0; --i) {
    draw = draw * 1664525u + 1013904223u;
    const int k = (draw >> 8) % (i + 1), kept = from[i];
    from[i] = from[k];
    from[k] = kept;
  }
  for (int i = 0; i < kOut; ++i) shuffled[from[i]] = result[i];
  Out* out = device_zeros<Out>(kOut);
  gather<<<(kOut + 127) / 128, 128>>>(on_device(shuffled), on_device(from), out);
  write_output(from_device(out, kOut));
}
