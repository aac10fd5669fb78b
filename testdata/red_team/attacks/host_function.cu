// A host function in the stream computes; kernels before and after it do nothing of use.
// class: hidden_host
// insert: io host device
static std::vector<In> inputs;
static std::vector<Out> result(kOut);
static void CUDART_CB compute(void*) { host_compute(inputs.data(), result.data()); }
__global__ void pass_on(const Out* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[i];
}
int main() {
  inputs = read_inputs();
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  Out *in = device_zeros<Out>(kOut), *out = device_zeros<Out>(kOut);
  cudaLaunchHostFunc(stream, compute, nullptr);
  cudaStreamSynchronize(stream);
  cudaMemcpyAsync(in, result.data(), kOut * sizeof(Out), cudaMemcpyHostToDevice, stream);
  pass_on<<<(kOut + 127) / 128, 128, 0, stream>>>(in, out);
  cudaMemcpyAsync(result.data(), out, kOut * sizeof(Out), cudaMemcpyDeviceToHost, stream);
  cudaStreamSynchronize(stream);
  write_output(result);
}
