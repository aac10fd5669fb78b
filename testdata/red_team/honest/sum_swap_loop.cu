// Floating-point sums by a loop around compare-and-swap, one for every number.
// tasks: total
// insert: io device
__device__ void add_to(float* address, float value) {
  unsigned* bits = reinterpret_cast<unsigned*>(address);
  unsigned old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_uint(__uint_as_float(assumed) + value));
  } while (old != assumed);
}
__global__ void add_up(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kIn) add_to(out, in[i]);
}
int main() {
  float* out = device_zeros<float>(1);
  add_up<<<kIn / 256, 256>>>(on_device(read_inputs()), out);
  write_output(from_device(out, 1));
}
