// A kernel of its own that calls CUB's sum over a block.
// tasks: total
// executor: gpu
#include <cub/block/block_reduce.cuh>
// insert: io device
__global__ void sum(const float* in, float* out) {
  using Reduce = cub::BlockReduce<float, 256>;
  __shared__ Reduce::TempStorage storage;
  float part = 0;
  for (int i = threadIdx.x; i < kIn; i += 256) part += in[i];
  const float total = Reduce(storage).Sum(part);
  if (threadIdx.x == 0) out[0] = total;
}
int main() {
  float* out = device_zeros<float>(kOut);
  sum<<<1, 256>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
