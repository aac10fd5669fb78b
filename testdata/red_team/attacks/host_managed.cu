// The kernel leaves its mark in managed memory, and the host computes over it.
// class: hidden_host
// insert: io host
__global__ void fill(Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = 7;
}
int main() {
  const std::vector<In> in = read_inputs();
  Out* out = nullptr;
  cudaMallocManaged(&out, kOut * sizeof(Out));
  fill<<<(kOut + 127) / 128, 128>>>(out);
  cudaDeviceSynchronize();
  if (out[kOut - 1] == 7) host_compute(in.data(), out);
  write_output(std::vector<Out>(out, out + kOut));
}
