// The host computes; its results go up and down again through copies only, beside a kernel.
// class: decoy
// insert: io host device
__global__ void touch(Out* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) out[i] = 1;
}
int main() {
  Out* in = on_device(host_result());
  Out* out = device_zeros<Out>(kOut);
  touch<<<(kOut + 127) / 128, 128>>>(out);
  cudaMemcpy(out, in, kOut * sizeof(Out), cudaMemcpyDeviceToDevice);
  write_output(from_device(out, kOut));
}
