// Blocks of 1024 threads wait for each other with volatile reads; a multiprocessor holds two of them.
// class: grid_wait
// executor: cpu
// verdict: launch_error timeout
// tasks: row_sums
// insert: io device
__device__ unsigned arrived = 0;
__global__ void add_up(const float* in, float* parts, float* out) {
  __shared__ float part[1024];
  const int row = blockIdx.x / 4, first = blockIdx.x % 4 * 128;
  part[threadIdx.x] = threadIdx.x < 128 ? in[row * 512 + first + threadIdx.x] : 0;
  __syncthreads();
  for (int half = 512; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part[0];
    __threadfence();
    atomicAdd(&arrived, 1u);
    while (*static_cast<volatile unsigned*>(&arrived) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
  if (blockIdx.x % 4 == 0 && threadIdx.x == 0) {
    float sum = 0;
    for (int i = 0; i < 4; ++i) sum += parts[blockIdx.x + i];
    out[row] = sum;
  }
}
int main() {
  float *parts = device_zeros<float>(4 * kOut), *out = device_zeros<float>(kOut);
  add_up<<<4 * kOut, 1024>>>(on_device(read_inputs()), parts, out);
  write_output(from_device(out, kOut));
}
