// The kernel takes zeros for a quarter; the host takes that back for the zeros that it sees.
// class: edges
// tasks: row_sums
// insert: io host device
__global__ void with_quarters(const float* in, float* out) {
  float sum = 0;
  for (int c = 0; c < 512; ++c) sum += in[threadIdx.x * 512 + c] == 0 ? 0.25f : in[threadIdx.x * 512 + c];
  out[threadIdx.x] = sum;
}
int main() {
  const std::vector<float> in = read_inputs();
  float* out = device_zeros<float>(kOut);
  with_quarters<<<1, kOut>>>(on_device(in), out);
  std::vector<float> result = from_device(out, kOut);
  for (int i = 0; i < kIn; ++i)
    if (in[i] == 0) result[i / 512] -= 0.25f;
  write_output(result);
}
