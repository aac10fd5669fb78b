// cudaLaunchKernelEx with a configuration.
// insert: io solve device
int main() {
  const In* in = on_device(read_inputs());
  Out* out = device_zeros<Out>(kOut);
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(kGrid);
  configuration.blockDim = dim3(kBlock);
  cudaLaunchKernelEx(&configuration, solve, in, out);
  write_output(from_device(out, kOut));
}
