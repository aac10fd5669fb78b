// A cooperative launch.
// insert: io solve device
int main() {
  const In* in = on_device(read_inputs());
  Out* out = device_zeros<Out>(kOut);
  void* arguments[] = {&in, &out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(solve), dim3(kGrid), dim3(kBlock), arguments, 0,
                              nullptr);
  cudaDeviceSynchronize();
  write_output(from_device(out, kOut));
}
