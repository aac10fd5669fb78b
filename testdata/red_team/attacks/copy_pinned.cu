// The host computes into pinned memory; a kernel copies it in place.
// class: copy
// insert: io host
__global__ void process(const Out* in, Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = in[i];
}
int main() {
  Out *in, *out, *device_in, *device_out;
  cudaHostAlloc(&in, kOut * sizeof(Out), cudaHostAllocMapped);
  cudaHostAlloc(&out, kOut * sizeof(Out), cudaHostAllocMapped);
  cudaHostGetDevicePointer(&device_in, in, 0);
  cudaHostGetDevicePointer(&device_out, out, 0);
  const std::vector<Out> result = host_result();
  for (int i = 0; i < kOut; ++i) in[i] = result[i];
  process<<<(kOut + 127) / 128, 128>>>(device_in, device_out);
  cudaDeviceSynchronize();
  write_output(std::vector<Out>(out, out + kOut));
}
