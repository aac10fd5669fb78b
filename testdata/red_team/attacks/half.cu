// The kernel computes the first 55 percent, the host the rest.
// class: part
// not: total
// insert: io host element device
__global__ void some(const In* in, Out* out, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) out[i] = element(in, i);
}
int main() {
  std::vector<Out> result = host_result();
  const int count = kOut * 11 / 20;
  Out* out = device_zeros<Out>(kOut);
  some<<<(count + 127) / 128, 128>>>(on_device(read_inputs()), out, count);
  cudaMemcpy(result.data(), out, count * sizeof(Out), cudaMemcpyDeviceToHost);
  write_output(result);
}
