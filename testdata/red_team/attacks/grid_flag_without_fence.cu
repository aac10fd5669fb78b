// A chain of blocks: each publishes its sum and then a flag, without a fence between the two.
// class: grid_wait
// needs: clang
// tasks: prefix_sum
// insert: io device
__global__ void scan(const int* in, int* out, volatile int* sums, volatile int* flags) {
  const int first = blockIdx.x * 64;
  int sum = 0;
  for (int i = 0; i < 64; ++i) sum += in[first + i];
  if (blockIdx.x > 0) {
    while (flags[blockIdx.x - 1] == 0) {
    }
  }
  int before = blockIdx.x > 0 ? sums[blockIdx.x - 1] : 0;
  sums[blockIdx.x] = before + sum;
  flags[blockIdx.x] = 1;
  for (int i = 0; i < 64; ++i) out[first + i] = before += in[first + i];
}
int main() {
  int *out = device_zeros<int>(kOut), *sums = device_zeros<int>(32), *flags = device_zeros<int>(32);
  scan<<<32, 1>>>(on_device(read_inputs()), out, sums, flags);
  write_output(from_device(out, kOut));
}
