// The host waits for the wrong stream before it reads pinned memory.
// class: streams
// needs: clang
// verdict: wrong_output undefined_behavior
// insert: io solve device
int main() {
  const In* in = on_device(read_inputs());
  Out *out = device_zeros<Out>(kOut), *result;
  cudaMallocHost(&result, kOut * sizeof(Out));
  cudaStream_t work, other;
  cudaStreamCreateWithFlags(&work, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking);
  cudaDeviceSynchronize();
  solve<<<kGrid, kBlock, 0, work>>>(in, out);
  cudaMemcpyAsync(result, out, kOut * sizeof(Out), cudaMemcpyDeviceToHost, work);
  cudaStreamSynchronize(other);
  write_output(std::vector<Out>(result, result + kOut));
}
