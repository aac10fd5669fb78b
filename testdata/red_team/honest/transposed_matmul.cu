// The host transposes the right matrix before the upload, so that both are read along rows.
// tasks: matmul small_matmul
// insert: io device
__global__ void multiply(const float* a, const float* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 32 * 40) return;
  float sum = 0;
  for (int k = 0; k < 48; ++k) sum += a[i / 40 * 48 + k] * b[i % 40 * 48 + k];
  c[i] = sum;
}
int main() {
  const std::vector<float> in = read_inputs();
  const std::vector<float> a(in.begin(), in.begin() + 32 * 48);
  std::vector<float> b(48 * 40);
  for (int r = 0; r < 48; ++r)
    for (int c = 0; c < 40; ++c) b[c * 48 + r] = in[32 * 48 + r * 40 + c];
  float* out = device_zeros<float>(kOut);
  multiply<<<10, 128>>>(on_device(a), on_device(b), out);
  write_output(from_device(out, kOut));
}
