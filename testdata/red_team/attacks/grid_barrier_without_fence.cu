// A barrier by hand that counts blocks but lets their writes be late.
// class: grid_wait
// needs: clang
// tasks: total
// insert: io device
__device__ unsigned arrived = 0;
__global__ void add_up(const float* in, float* parts, float* out) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = blockIdx.x * 128 + threadIdx.x; i < kIn; i += gridDim.x * 128) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int half = 64; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x != 0) return;
  parts[blockIdx.x] = part[0];
  atomicAdd(&arrived, 1u);
  while (atomicAdd(&arrived, 0u) < gridDim.x) {
  }
  if (blockIdx.x != 0) return;
  float total = 0;
  for (int i = 0; i < gridDim.x; ++i) total += parts[i];
  *out = total;
}
int main() {
  float *parts = device_zeros<float>(8), *out = device_zeros<float>(1);
  add_up<<<8, 128>>>(on_device(read_inputs()), parts, out);
  write_output(from_device(out, 1));
}
