// The host packs the small whole numbers as bytes; the kernel multiplies bytes.
// tasks: small_matmul
// insert: io device
__global__ void multiply(const signed char* a, const signed char* b, float* c) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut) return;
  int sum = 0;
  for (int k = 0; k < 48; ++k) sum += a[i / 40 * 48 + k] * b[k * 40 + i % 40];
  c[i] = static_cast<float>(sum);
}
int main() {
  const std::vector<float> in = read_inputs();
  const signed char* bytes = on_device(std::vector<signed char>(in.begin(), in.end()));
  float* out = device_zeros<float>(kOut);
  multiply<<<(kOut + 127) / 128, 128>>>(bytes, bytes + 32 * 48, out);
  write_output(from_device(out, kOut));
}
