// The sum of a row in shared memory, read and exchanged by every thread.
// class: lost_update
// tasks: row_sums
// insert: io device
__global__ void add_up(const float* in, float* out) {
  __shared__ float sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  float mine = 0;
  for (int c = threadIdx.x; c < 512; c += blockDim.x) mine += in[blockIdx.x * 512 + c];
  const float before = atomicAdd(&sum, 0.0f);
  atomicExch(&sum, before + mine);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
int main() {
  float* out = device_zeros<float>(kOut);
  add_up<<<kOut, 64>>>(on_device(read_inputs()), out);
  write_output(from_device(out, kOut));
}
