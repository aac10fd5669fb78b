// Two kernels in a row on two streams with an event between them.
// insert: io element device
__global__ void first(const In* in, Out* made) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) made[i] = element(in, i);
}
__global__ void second(const Out* made, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = made[i];
}
int main() {
  const In* in = on_device(read_inputs());
  Out *made = device_zeros<Out>(kOut), *out = device_zeros<Out>(kOut);
  cudaStream_t a, b;
  cudaEvent_t done;
  cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
  cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
  cudaDeviceSynchronize();
  first<<<(kOut + 63) / 64, 64, 0, a>>>(in, made);
  cudaEventRecord(done, a);
  cudaStreamWaitEvent(b, done, 0);
  second<<<(kOut + 63) / 64, 64, 0, b>>>(made, out);
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
  write_output(from_device(out, kOut));
}
