// More blocks than a GPU holds at a time, each waiting for the one before it, which has started earlier.
// tasks: prefix_sum
// insert: io device
__global__ void scan(const int* in, int* out, volatile int* sums, volatile int* flags) {
  const int i = blockIdx.x;
  int before = 0;
  if (i > 0) {
    while (flags[i - 1] == 0) {
    }
    __threadfence();
    before = sums[i - 1];
  }
  sums[i] = i < kOut ? before + in[i] : before;
  __threadfence();
  flags[i] = 1;
  if (i < kOut) out[i] = before + in[i];
}
int main() {
  constexpr int kBlocks = 3600;
  int *out = device_zeros<int>(kOut), *sums = device_zeros<int>(kBlocks), *flags = device_zeros<int>(kBlocks);
  scan<<<kBlocks, 1>>>(on_device(read_inputs()), out, sums, flags);
  write_output(from_device(out, kOut));
}
