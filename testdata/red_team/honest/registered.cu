// The program's own vector, registered as pinned memory.
// insert: io solve
int main() {
  std::vector<In> in = read_inputs();
  std::vector<Out> out(kOut);
  cudaHostRegister(in.data(), kIn * sizeof(In), cudaHostRegisterDefault);
  In* device_in;
  Out* device_out;
  cudaMalloc(&device_in, kIn * sizeof(In));
  cudaMalloc(&device_out, kOut * sizeof(Out));
  cudaMemcpy(device_in, in.data(), kIn * sizeof(In), cudaMemcpyDefault);
  solve<<<kGrid, kBlock>>>(device_in, device_out);
  cudaMemcpy(out.data(), device_out, kOut * sizeof(Out), cudaMemcpyDefault);
  cudaHostUnregister(in.data());
  write_output(out);
}
