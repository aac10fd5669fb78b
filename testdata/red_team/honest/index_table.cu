// The host makes the table of where every element goes; the kernel moves the elements.
// tasks: transpose
// insert: io device
__global__ void scatter(const float* in, const int* to, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kIn) out[to[i]] = in[i];
}
int main() {
  std::vector<int> to(kIn);
  for (int i = 0; i < kIn; ++i) to[i] = i % 80 * 48 + i / 80;
  float* out = device_zeros<float>(kOut);
  scatter<<<kIn / 128, 128>>>(on_device(read_inputs()), on_device(to), out);
  write_output(from_device(out, kOut));
}
