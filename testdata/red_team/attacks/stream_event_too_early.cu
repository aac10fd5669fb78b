// The event that the second stream waits for is recorded before the work, not behind it.
// class: streams
// needs: clang
// insert: io element device
__global__ void first(const In* in, Out* made) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) made[i] = element(in, i);
}
int main() {
  const In* in = on_device(read_inputs());
  Out *made = device_zeros<Out>(kOut), *out = device_zeros<Out>(kOut);
  cudaStream_t a, b;
  cudaEvent_t event;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreate(&event);
  cudaDeviceSynchronize();
  cudaEventRecord(event, a);
  first<<<(kOut + 63) / 64, 64, 0, a>>>(in, made);
  cudaStreamWaitEvent(b, event, 0);
  cudaMemcpyAsync(out, made, kOut * sizeof(Out), cudaMemcpyDeviceToDevice, b);
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
  write_output(from_device(out, kOut));
}
