// The sum of a block is added by one compare-and-swap.
// class: lost_update
// tasks: total
// insert: io device
__global__ void add_up(const float* in, float* out) {
  __shared__ float part[128];
  part[threadIdx.x] = in[blockIdx.x * 128 + threadIdx.x];
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  int* bits = reinterpret_cast<int*>(out);
  const int seen = *bits;
  atomicCAS(bits, seen, __float_as_int(__int_as_float(seen) + part[0]));
}
int main() {
  float* out = device_zeros<float>(1);
  add_up<<<kIn / 128, 128>>>(on_device(read_inputs()), out);
  write_output(from_device(out, 1));
}
