// Two kernels in a row on two streams; only the host knows that one needs the other.
// class: streams
// needs: clang
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
  cudaStreamCreate(&a);
  cudaStreamCreate(&b);
  cudaDeviceSynchronize();
  first<<<(kOut + 63) / 64, 64, 0, a>>>(in, made);
  second<<<(kOut + 63) / 64, 64, 0, b>>>(made, out);
  cudaStreamSynchronize(a);
  cudaStreamSynchronize(b);
  write_output(from_device(out, kOut));
}
