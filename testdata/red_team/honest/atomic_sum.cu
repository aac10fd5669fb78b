// atomicAdd of every block's sum into one number.
// tasks: total
// insert: io device
__global__ void add_up(const float* in, float* out) {
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kIn; i += gridDim.x * blockDim.x) sum += in[i];
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, offset);
  if (threadIdx.x % 32 == 0) atomicAdd(out, sum);
}
int main() {
  float* out = device_zeros<float>(1);
  add_up<<<8, 128>>>(on_device(read_inputs()), out);
  write_output(from_device(out, 1));
}
