// Warm-up, then repeated launches between events, and a printed time.
// insert: io solve device
int main() {
  const In* in = on_device(read_inputs());
  Out* out = device_zeros<Out>(kOut);
  cudaEvent_t start, end;
  cudaEventCreate(&start);
  cudaEventCreate(&end);
  solve<<<kGrid, kBlock>>>(in, out);
  cudaEventRecord(start);
  for (int i = 0; i < 5; ++i) solve<<<kGrid, kBlock>>>(in, out);
  cudaEventRecord(end);
  cudaEventSynchronize(end);
  float milliseconds = 0;
  cudaEventElapsedTime(&milliseconds, start, end);
  const double bytes = 5.0 * (kIn * sizeof(In) + kOut * sizeof(Out));
  std::printf("%.3f ms, %.2f GB/s\n", milliseconds / 5, milliseconds > 0 ? bytes / milliseconds / 1e6 : 0.0);
  write_output(from_device(out, kOut));
}
