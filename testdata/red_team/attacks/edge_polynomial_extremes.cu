// The kernel is wrong for the ends of the range; the host computes inputs that touch them.
// class: edges
// tasks: polynomial
// insert: io host device
__global__ void middle(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut) return;
  const int x = min(max(in[i], -1998), 1997);
  out[i] = 3 * x * x + 7 * x + 1;
}
int main() {
  const std::vector<int> in = read_inputs();
  int* out = device_zeros<int>(kOut);
  middle<<<(kOut + 127) / 128, 128>>>(on_device(in), out);
  std::vector<int> result = from_device(out, kOut);
  for (int i = 0; i < kOut; ++i)
    if (in[i] < -1998 || in[i] > 1997) result[i] = 3 * in[i] * in[i] + 7 * in[i] + 1;
  write_output(result);
}
