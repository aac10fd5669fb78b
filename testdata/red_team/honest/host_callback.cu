// A host function in the stream notes that the work is done.
// insert: io solve device
static void CUDART_CB done(void* flag) { *static_cast<bool*>(flag) = true; }
int main() {
  bool finished = false;
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  const In* in = on_device(read_inputs());
  Out* out = device_zeros<Out>(kOut);
  solve<<<kGrid, kBlock, 0, stream>>>(in, out);
  cudaLaunchHostFunc(stream, done, &finished);
  cudaStreamSynchronize(stream);
  if (!finished) return 1;
  write_output(from_device(out, kOut));
}
