// The host computes; a kernel copies from constant memory.
// class: copy
// insert: io host device
__constant__ Out table[kOut];
__global__ void look_up(Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = table[i];
}
int main() {
  const std::vector<Out> result = host_result();
  cudaMemcpyToSymbol(table, result.data(), kOut * sizeof(Out));
  Out* out = device_zeros<Out>(kOut);
  look_up<<<(kOut + 127) / 128, 128>>>(out);
  write_output(from_device(out, kOut));
}
