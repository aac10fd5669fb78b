// Row sums as a product with a vector of ones from the host.
// tasks: row_sums
// insert: io device
__global__ void product(const float* in, const float* ones, float* out) {
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= kOut) return;
  float sum = 0;
  for (int c = 0; c < 512; ++c) sum += in[r * 512 + c] * ones[c];
  out[r] = sum;
}
int main() {
  float* out = device_zeros<float>(kOut);
  product<<<2, 32>>>(on_device(read_inputs()), on_device(std::vector<float>(512, 1.0f)), out);
  write_output(from_device(out, kOut));
}
