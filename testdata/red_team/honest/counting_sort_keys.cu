// Every thread finds the place of its own number (a rank), and puts it there.
// tasks: sort
// insert: io device
__global__ void place(const int* in, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kIn) return;
  int rank = 0;
  for (int k = 0; k < kIn; ++k) rank += in[k] < in[i] || (in[k] == in[i] && k < i);
  out[rank] = in[i];
}
int main() {
  int* out = device_zeros<int>(kOut);
  place<<<4, 128>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
