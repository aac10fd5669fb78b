// One thread per bin counts in a register.
// tasks: histogram
// insert: io device
__global__ void count(const int* in, int* out) {
  int own = 0;
  for (int i = 0; i < kIn; ++i) own += in[i] == static_cast<int>(threadIdx.x);
  out[threadIdx.x] = own;
}
int main() {
  int* out = device_zeros<int>(kOut);
  count<<<1, kOut>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
