// Cooperative groups: tiles of 32 and a shuffle reduction.
// tasks: row_sums
// insert: io device

#include <cooperative_groups.h>
namespace cg = cooperative_groups;
__global__ void add_up(const float* in, float* out) {
  const auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  float sum = 0;
  for (int c = tile.thread_rank(); c < 512; c += 32) sum += in[row * 512 + c];
  for (int offset = 16; offset > 0; offset /= 2) sum += tile.shfl_down(sum, offset);
  if (tile.thread_rank() == 0) out[row] = sum;
}
int main() {
  float* out = device_zeros<float>(kOut);
  add_up<<<16, 128>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
