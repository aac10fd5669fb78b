// The host computes into managed memory; a kernel copies.
// class: copy
// insert: io host
__global__ void process(const Out* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[i];
}
int main() {
  Out *in, *out;
  cudaMallocManaged(&in, kOut * sizeof(Out));
  cudaMallocManaged(&out, kOut * sizeof(Out));
  const std::vector<Out> result = host_result();
  for (int i = 0; i < kOut; ++i) in[i] = result[i];
  process<<<(kOut + 127) / 128, 128>>>(in, out);
  cudaDeviceSynchronize();
  write_output(std::vector<Out>(out, out + kOut));
}
