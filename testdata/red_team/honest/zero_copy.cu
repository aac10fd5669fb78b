// Pinned memory that the kernel reads and writes across the bus.
// insert: io solve

#include <algorithm>
int main() {
  In *in, *device_in;
  Out *out, *device_out;
  cudaSetDeviceFlags(cudaDeviceMapHost);
  cudaHostAlloc(&in, kIn * sizeof(In), cudaHostAllocMapped);
  cudaHostAlloc(&out, kOut * sizeof(Out), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device_in, in, 0);
  cudaHostGetDevicePointer(&device_out, out, 0);
  const std::vector<In> values = read_inputs();
  std::copy(values.begin(), values.end(), in);
  solve<<<kGrid, kBlock>>>(device_in, device_out);
  cudaDeviceSynchronize();
  write_output(std::vector<Out>(out, out + kOut));
  cudaFreeHost(in);
  cudaFreeHost(out);
}
