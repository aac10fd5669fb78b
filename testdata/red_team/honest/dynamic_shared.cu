// Dynamic shared memory of a size chosen at run time.
// tasks: row_sums
// insert: io device
__global__ void add_up(const float* in, float* out) {
  extern __shared__ float part[];
  part[threadIdx.x] = in[blockIdx.x * 512 + threadIdx.x] + in[blockIdx.x * 512 + threadIdx.x + 256];
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
int main() {
  float* out = device_zeros<float>(kOut);
  add_up<<<64, 256, 256 * sizeof(float)>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
