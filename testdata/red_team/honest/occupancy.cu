// Block size from the occupancy calculator.
// insert: io element device
__global__ void each(const In* in, Out* out) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kOut; i += gridDim.x * blockDim.x)
    out[i] = element(in, i);
}
int main() {
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, each, 0, 0);
  if (grid > 64) grid = 64;
  Out* out = device_zeros<Out>(kOut);
  each<<<grid, block>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
