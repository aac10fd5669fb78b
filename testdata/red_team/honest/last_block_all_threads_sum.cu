// Every thread has its fence, then one of them takes the ticket; all threads of the last block add.
// tasks: total
// insert: io device
__device__ unsigned retired = 0;
__global__ void add_up(const float* in, volatile float* parts, float* out) {
  __shared__ bool is_last;
  __shared__ float part[128];
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < kIn; i += gridDim.x * 128) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) parts[blockIdx.x] = part[0];
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) is_last = atomicInc(&retired, gridDim.x - 1) == gridDim.x - 1;
  __syncthreads();
  if (!is_last) return;
  float mine = threadIdx.x < gridDim.x ? parts[threadIdx.x] : 0;
  for (int step = 4; step > 0; step /= 2) mine += __shfl_down_sync(~0u, mine, step);
  if (threadIdx.x == 0) *out = mine;
}
int main() {
  float *parts = device_zeros<float>(8), *out = device_zeros<float>(1);
  add_up<<<8, 128>>>(on_device(read_inputs()), parts, out);
  write_output(from_device(out, 1));
}
