// The host computes and masks the bits; a kernel unmasks them.
// class: copy
// insert: io host device

#include <cstring>
__global__ void unmask(const unsigned* in, unsigned* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[i] ^ (0x9e3779b9u * (i + 1));
}
int main() {
  std::vector<Out> result = host_result();
  std::vector<unsigned> bits(kOut);
  std::memcpy(bits.data(), result.data(), kOut * 4);
  for (int i = 0; i < kOut; ++i) bits[i] ^= 0x9e3779b9u * (i + 1);
  unsigned* in = on_device(bits);
  unsigned* out = device_zeros<unsigned>(kOut);
  unmask<<<(kOut + 127) / 128, 128>>>(in, out);
  bits = from_device(out, kOut);
  std::memcpy(result.data(), bits.data(), kOut * 4);
  write_output(result);
}
