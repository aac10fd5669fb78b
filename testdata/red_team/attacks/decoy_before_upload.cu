// The honest kernel works into a buffer over which the host's results are copied afterwards.
// class: decoy
// insert: io host solve device
int main() {
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock>>>(on_device(read_inputs()), out);
  const std::vector<Out> own = host_result();
  cudaMemcpy(out, own.data(), kOut * sizeof(Out), cudaMemcpyHostToDevice);
  write_output(from_device(out, kOut));
}
