// The input goes up in chunks on several streams; an event per stream holds the kernel back.
// insert: io solve
int main() {
  constexpr int kStreams = 4;
  const std::vector<In> in = read_inputs();
  In* device_in;
  Out* device_out;
  cudaMalloc(&device_in, kIn * sizeof(In));
  cudaMalloc(&device_out, kOut * sizeof(Out));
  cudaStream_t work;
  cudaStreamCreate(&work);
  for (int i = 0; i < kStreams; ++i) {
    cudaStream_t stream;
    cudaEvent_t arrived;
    cudaStreamCreate(&stream);
    cudaEventCreateWithFlags(&arrived, cudaEventDisableTiming);
    const int first = kIn / kStreams * i, end = i + 1 == kStreams ? kIn : first + kIn / kStreams;
    cudaMemcpyAsync(device_in + first, in.data() + first, (end - first) * sizeof(In), cudaMemcpyHostToDevice,
                    stream);
    cudaEventRecord(arrived, stream);
    cudaStreamWaitEvent(work, arrived, 0);
  }
  solve<<<kGrid, kBlock, 0, work>>>(device_in, device_out);
  std::vector<Out> out(kOut);
  cudaMemcpyAsync(out.data(), device_out, kOut * sizeof(Out), cudaMemcpyDeviceToHost, work);
  cudaStreamSynchronize(work);
  write_output(out);
}
