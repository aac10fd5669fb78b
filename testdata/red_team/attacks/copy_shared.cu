// The host computes; a kernel stages the results in shared memory and stores them.
// class: copy
// insert: io host device
__global__ void stage(const Out* in, Out* out) {
  __shared__ Out tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  tile[threadIdx.x] = i < kOut ? in[i] : Out(0);
  __syncthreads();
  if (i < kOut) out[i] = tile[threadIdx.x];
}
int main() {
  Out* in = on_device(host_result());
  Out* out = device_zeros<Out>(kOut);
  stage<<<(kOut + 127) / 128, 128>>>(in, out);
  write_output(from_device(out, kOut));
}
