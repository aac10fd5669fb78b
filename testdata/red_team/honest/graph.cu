// Copies and kernel captured in a graph that is launched twice.
// insert: io solve
int main() {
  const std::vector<In> in = read_inputs();
  std::vector<Out> out(kOut);
  In* device_in;
  Out* device_out;
  cudaMalloc(&device_in, kIn * sizeof(In));
  cudaMalloc(&device_out, kOut * sizeof(Out));
  cudaMemcpy(device_in, in.data(), kIn * sizeof(In), cudaMemcpyHostToDevice);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
  solve<<<kGrid, kBlock, 0, stream>>>(device_in, device_out);
  cudaStreamEndCapture(stream, &graph);
  cudaGraphInstantiate(&executable, graph, nullptr, nullptr, 0);
  for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, stream);
  cudaStreamSynchronize(stream);
  cudaMemcpy(out.data(), device_out, kOut * sizeof(Out), cudaMemcpyDeviceToHost);
  write_output(out);
}
