// The last warp adds through a volatile pointer, as books before Volta show it: nothing orders its lanes.
// class: lost_update
// verdict: wrong_output undefined_behavior
// needs: clang
// tasks: total
// insert: io device
__global__ void add_up(const float* in, float* out) {
  __shared__ float part[128];
  float sum = 0;
  for (int i = threadIdx.x; i < kIn; i += 128) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x < 64) part[threadIdx.x] += part[threadIdx.x + 64];
  __syncthreads();
  if (threadIdx.x < 32) {
    volatile float* lanes = part;
    lanes[threadIdx.x] += lanes[threadIdx.x + 32];
    lanes[threadIdx.x] += lanes[threadIdx.x + 16];
    lanes[threadIdx.x] += lanes[threadIdx.x + 8];
    lanes[threadIdx.x] += lanes[threadIdx.x + 4];
    lanes[threadIdx.x] += lanes[threadIdx.x + 2];
    lanes[threadIdx.x] += lanes[threadIdx.x + 1];
  }
  if (threadIdx.x == 0) *out = part[0];
}
int main() {
  float* out = device_zeros<float>(1);
  add_up<<<1, 128>>>(on_device(read_inputs()), out);
  write_output(from_device(out, 1));
}
