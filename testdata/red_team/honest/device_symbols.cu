// Global arrays of the device, filled and read through their symbols.
// insert: io solve
__device__ In inputs[kIn];
__device__ Out outputs[kOut];
int main() {
  const std::vector<In> in = read_inputs();
  cudaMemcpyToSymbol(inputs, in.data(), kIn * sizeof(In));
  void *device_in, *device_out;
  cudaGetSymbolAddress(&device_in, inputs);
  cudaGetSymbolAddress(&device_out, outputs);
  solve<<<kGrid, kBlock>>>(static_cast<const In*>(device_in), static_cast<Out*>(device_out));
  std::vector<Out> out(kOut);
  cudaMemcpyFromSymbol(out.data(), outputs, kOut * sizeof(Out));
  write_output(out);
}
