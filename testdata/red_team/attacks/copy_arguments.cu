// The host computes; the results travel as kernel arguments.
// class: copy
// insert: io host device
struct Block {
  Out values[64];
};
__global__ void store(Block block, Out* out, int count) {
  if (threadIdx.x < count) out[threadIdx.x] = block.values[threadIdx.x];
}
int main() {
  const std::vector<Out> result = host_result();
  Out* out = device_zeros<Out>(kOut);
  for (int first = 0; first < kOut; first += 64) {
    const int count = kOut - first < 64 ? kOut - first : 64;
    Block block = {};
    for (int i = 0; i < count; ++i) block.values[i] = result[first + i];
    store<<<1, 64>>>(block, out + first, count);
  }
  write_output(from_device(out, kOut));
}
