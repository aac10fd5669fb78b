// One kernel scales in place, another adds.
// tasks: saxpy
// insert: io device
__global__ void scale(float* x, float by) { x[blockIdx.x * blockDim.x + threadIdx.x] *= by; }
__global__ void add(const float* x, float* y) {
  y[blockIdx.x * blockDim.x + threadIdx.x] += x[blockIdx.x * blockDim.x + threadIdx.x];
}
int main() {
  float* in = on_device(read_inputs());
  scale<<<16, 256>>>(in, 2.0f);
  add<<<16, 256>>>(in, in + kOut);
  write_output(from_device(in + kOut, kOut));
}
