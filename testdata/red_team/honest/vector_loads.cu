// float4 loads.
// tasks: saxpy
// insert: io device
__global__ void saxpy(const float4* x, const float4* y, float4* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= kOut / 4) return;
  const float4 a = x[i], b = y[i];
  out[i] = make_float4(2 * a.x + b.x, 2 * a.y + b.y, 2 * a.z + b.z, 2 * a.w + b.w);
}
int main() {
  float* in = on_device(read_inputs());
  float* out = device_zeros<float>(kOut);
  saxpy<<<8, 128>>>(reinterpret_cast<float4*>(in), reinterpret_cast<float4*>(in + kOut),
                    reinterpret_cast<float4*>(out));
  write_output(from_device(out, kOut));
}
