// A barrier by hand over more blocks than a GPU holds at a time: those that wait keep the others from starting.
// class: grid_wait
// executor: cpu
// verdict: launch_error timeout
// tasks: total
// insert: io device
__device__ unsigned arrived = 0;
__global__ void add_up(const float* in, float* parts, float* out) {
  const int i = blockIdx.x * 32 + threadIdx.x;
  float sum = i < kIn ? in[i] : 0;
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x != 0) return;
  parts[blockIdx.x] = sum;
  __threadfence();
  atomicAdd(&arrived, 1u);
  while (atomicAdd(&arrived, 0u) < gridDim.x) {
  }
  __threadfence();
  if (blockIdx.x != 0) return;
  float total = 0;
  for (int b = 0; b < gridDim.x; ++b) total += parts[b];
  *out = total;
}
int main() {
  float *parts = device_zeros<float>(4096), *out = device_zeros<float>(1);
  add_up<<<4096, 32>>>(on_device(read_inputs()), parts, out);
  write_output(from_device(out, 1));
}
