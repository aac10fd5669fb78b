// Asks for the device's properties and prints them first.
// insert: io solve device
int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  cudaDeviceProp about;
  cudaGetDeviceProperties(&about, 0);
  std::printf("%d devices, %s, %d SMs, %zu MiB\n", count, about.name, about.multiProcessorCount,
              about.totalGlobalMem >> 20);
  if (kBlock > about.maxThreadsPerBlock) return 1;
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
