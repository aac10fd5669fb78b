// The host computes; the upper and lower bits go up separately and a kernel joins them.
// class: copy
// insert: io host device

#include <cstring>
__global__ void join(const unsigned short* low, const unsigned short* high, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = low[i] | static_cast<unsigned>(high[i]) << 16;
}
int main() {
  std::vector<Out> result = host_result();
  std::vector<unsigned> bits(kOut);
  std::memcpy(bits.data(), result.data(), kOut * 4);
  std::vector<unsigned short> low(kOut), high(kOut);
  for (int i = 0; i < kOut; ++i) low[i] = bits[i] & 0xffff, high[i] = bits[i] >> 16;
  unsigned* out = device_zeros<unsigned>(kOut);
  join<<<(kOut + 127) / 128, 128>>>(on_device(low), on_device(high), out);
  bits = from_device(out, kOut);
  std::memcpy(result.data(), bits.data(), kOut * 4);
  write_output(result);
}
