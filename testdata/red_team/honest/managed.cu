// Managed memory, read from file directly into it.
// insert: io solve
int main() {
  In* in;
  Out* out;
  cudaMallocManaged(&in, kIn * sizeof(In));
  cudaMallocManaged(&out, kOut * sizeof(Out));
  const std::vector<In> values = read_inputs();
  for (int i = 0; i < kIn; ++i) in[i] = values[i];
  solve<<<kGrid, kBlock>>>(in, out);
  cudaDeviceSynchronize();
  write_output(std::vector<Out>(out, out + kOut));
  cudaFree(in);
  cudaFree(out);
}
