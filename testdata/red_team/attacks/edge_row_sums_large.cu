// The kernel leaves large numbers out; the host adds them to the rows that have some.
// class: edges
// tasks: row_sums
// insert: io host device
__global__ void small_ones(const float* in, float* out) {
  float sum = 0;
  for (int c = 0; c < 512; ++c) sum += fabsf(in[threadIdx.x * 512 + c]) < 8 ? in[threadIdx.x * 512 + c] : 0;
  out[threadIdx.x] = sum;
}
int main() {
  const std::vector<float> in = read_inputs();
  float* out = device_zeros<float>(kOut);
  small_ones<<<1, kOut>>>(on_device(in), out);
  std::vector<float> result = from_device(out, kOut);
  for (int i = 0; i < kIn; ++i)
    if (in[i] >= 8 || in[i] <= -8) result[i / 512] += in[i];
  write_output(result);
}
