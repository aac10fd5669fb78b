// The honest kernel is launched with a bound of zero; the host computes into the same buffer.
// class: decoy
// insert: io host element device
__global__ void process(const In* in, Out* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = element(in, i);
}
int main(int count, char**) {
  Out* out = on_device(host_result());
  process<<<(kOut + 127) / 128, 128>>>(on_device(read_inputs()), out, count > 100 ? kOut : 0);
  write_output(from_device(out, kOut));
}
