// Blocks give partial sums; the host adds the 32 of them up.
// tasks: total
// insert: io device
__global__ void partial(const float* in, float* out) {
  __shared__ float part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}
int main() {
  float* sums = device_zeros<float>(32);
  partial<<<32, 256>>>(on_device(read_inputs()), sums);
  double total = 0;
  for (const float sum : from_device(sums, 32)) total += sum;
  write_output({static_cast<float>(total)});
}
