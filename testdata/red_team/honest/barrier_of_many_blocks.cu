// A barrier by hand among 240 blocks, which a GPU holds at a time, passed twice.
// tasks: total
// insert: io device
__device__ unsigned arrived = 0;
__device__ void wait_for_all(unsigned wanted) {
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (atomicAdd(&arrived, 0u) < wanted) {
    }
    __threadfence();
  }
  __syncthreads();
}
__global__ void add_up(const float* in, float* parts, float* out) {
  float sum = 0;
  for (int i = blockIdx.x * 32 + threadIdx.x; i < kIn; i += gridDim.x * 32) sum += in[i];
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(~0u, sum, step);
  if (threadIdx.x == 0) parts[blockIdx.x] = sum;
  wait_for_all(gridDim.x);
  if (blockIdx.x < 8 && threadIdx.x == 0) {
    float eighth = 0;
    for (int b = blockIdx.x; b < gridDim.x; b += 8) eighth += parts[b];
    parts[gridDim.x + blockIdx.x] = eighth;
  }
  wait_for_all(2 * gridDim.x);
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  float total = 0;
  for (int b = 0; b < 8; ++b) total += parts[gridDim.x + b];
  *out = total;
}
int main() {
  float *parts = device_zeros<float>(248), *out = device_zeros<float>(1);
  add_up<<<240, 32>>>(on_device(read_inputs()), parts, out);
  write_output(from_device(out, 1));
}
