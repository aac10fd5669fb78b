// The host widens to double before the upload and narrows the result.
// tasks: matmul
// insert: io device
__global__ void multiply(const double* a, const double* b, double* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut) return;
  double sum = 0;
  for (int k = 0; k < 48; ++k) sum += a[i / 40 * 48 + k] * b[k * 40 + i % 40];
  c[i] = sum;
}
int main() {
  const std::vector<float> in = read_inputs();
  const double* wide = on_device(std::vector<double>(in.begin(), in.end()));
  double* out = device_zeros<double>(kOut);
  multiply<<<(kOut + 127) / 128, 128>>>(wide, wide + 32 * 48, out);
  const std::vector<double> result = from_device(out, kOut);
  write_output(std::vector<float>(result.begin(), result.end()));
}
