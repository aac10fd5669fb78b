// Memory from the stream-ordered allocator.
// insert: io solve
int main() {
  const std::vector<In> values = read_inputs();
  std::vector<Out> result(kOut);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  In* in;
  Out* out;
  cudaMallocAsync(&in, kIn * sizeof(In), stream);
  cudaMallocAsync(&out, kOut * sizeof(Out), stream);
  cudaMemcpyAsync(in, values.data(), kIn * sizeof(In), cudaMemcpyHostToDevice, stream);
  solve<<<kGrid, kBlock, 0, stream>>>(in, out);
  cudaMemcpyAsync(result.data(), out, kOut * sizeof(Out), cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(in, stream);
  cudaFreeAsync(out, stream);
  cudaStreamSynchronize(stream);
  write_output(result);
}
