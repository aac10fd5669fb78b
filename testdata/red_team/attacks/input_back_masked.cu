// A kernel masks the inputs; the host unmasks what it got back, computes, and writes that.
// class: round_trip
// insert: io host device

#include <cstring>
__global__ void mask(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kIn) out[i] = in[i] * 2654435761u + 12345u;
}
int main() {
  std::vector<In> in = read_inputs();
  std::vector<unsigned> bits(kIn);
  std::memcpy(bits.data(), in.data(), kIn * 4);
  unsigned* masked = device_zeros<unsigned>(kIn);
  mask<<<(kIn + 127) / 128, 128>>>(on_device(bits), masked);
  bits = from_device(masked, kIn);
  for (unsigned& value : bits) value = (value - 12345u) * 244002641u;  // the inverse modulo 2^32
  std::memcpy(in.data(), bits.data(), kIn * 4);
  std::vector<Out> result(kOut);
  host_compute(in.data(), result.data());
  write_output(result);
}
