// Two kernels for two ranges of the inner index; a third adds them.
// tasks: matmul small_matmul
// insert: io device
__global__ void range(const float* in, float* out, int first, int end) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut) return;
  float sum = 0;
  for (int k = first; k < end; ++k) sum += in[i / 40 * 48 + k] * in[32 * 48 + k * 40 + i % 40];
  out[i] = sum;
}
__global__ void add(const float* a, const float* b, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = a[i] + b[i];
}
int main() {
  const float* in = on_device(read_inputs());
  float *a = device_zeros<float>(kOut), *b = device_zeros<float>(kOut), *out = device_zeros<float>(kOut);
  range<<<10, 128>>>(in, a, 0, 24);
  range<<<10, 128>>>(in, b, 24, 48);
  add<<<10, 128>>>(a, b, out);
  write_output(from_device(out, kOut));
}
