// A table of squares that the host makes; the kernel looks squares up and does the rest.
// tasks: polynomial
// insert: io device
__global__ void evaluate(const int* in, const int* squares, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut) return;
  const int x = in[i];
  out[i] = 3 * squares[x < 0 ? -x : x] + 7 * x + 1;
}
int main() {
  std::vector<int> squares(2001);
  for (int i = 0; i <= 2000; ++i) squares[i] = i * i;
  int* out = device_zeros<int>(kOut);
  evaluate<<<(kOut + 255) / 256, 256>>>(on_device(read_inputs()), on_device(squares), out);
  write_output(from_device(out, kOut));
}
