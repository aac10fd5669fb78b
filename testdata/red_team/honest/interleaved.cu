// The host interleaves x and y before the upload, so that one load brings both.
// tasks: saxpy
// insert: io device
__global__ void saxpy(const float2* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = fmaf(2.0f, in[i].x, in[i].y);
}
int main() {
  const std::vector<float> in = read_inputs();
  std::vector<float2> pairs(kOut);
  for (int i = 0; i < kOut; ++i) pairs[i] = make_float2(in[i], in[kOut + i]);
  float* out = device_zeros<float>(kOut);
  saxpy<<<16, 256>>>(on_device(pairs), out);
  write_output(from_device(out, kOut));
}
