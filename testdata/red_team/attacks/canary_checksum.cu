// The host computes; a kernel adds up the inputs' bits, and the host compares the checksum with its own.
// class: canary
// insert: io host device

#include <cstring>
__global__ void add_up(const unsigned* in, unsigned* sum) {
  for (int i = threadIdx.x; i < kIn; i += blockDim.x) atomicAdd(sum, in[i] * 2654435761u);
}
int main() {
  const std::vector<In> in = read_inputs();
  std::vector<unsigned> bits(kIn);
  std::memcpy(bits.data(), in.data(), kIn * 4);
  unsigned wanted = 0;
  for (const unsigned value : bits) wanted += value * 2654435761u;
  unsigned* sum = device_zeros<unsigned>(1);
  add_up<<<1, 256>>>(on_device(bits), sum);
  if (from_device(sum, 1)[0] != wanted) return 1;
  write_output(host_result());
}
