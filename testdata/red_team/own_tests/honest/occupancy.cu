// Asks the device how large its blocks should be.
// insert: io element device
void solve(const float* in, int n, float* out, int m) {
  cudaDeviceProp device;
  cudaGetDeviceProperties(&device, 0);
  int grid = 0, block = 0;
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, work, 0, 0);
  std::printf("%s: %d processors, blocks of %d\n", device.name, device.multiProcessorCount, block);
  Buffer a(in, n), b(m);
  work<<<(m + block - 1) / block, block>>>(a.data, n, b.data, m);
  b.copy_to(out, m);
}
