// A cooperative launch: partial sums, a barrier of the grid, and one block that adds them.
// tasks: total
// insert: io device

#include <cooperative_groups.h>
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
  if (threadIdx.x == 0) parts[blockIdx.x] = part[0];
  cooperative_groups::this_grid().sync();
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    float total = 0;
    for (int i = 0; i < gridDim.x; ++i) total += parts[i];
    *out = total;
  }
}
int main() {
  const float* in = on_device(read_inputs());
  float *parts = device_zeros<float>(8), *out = device_zeros<float>(1);
  void* arguments[] = {&in, &parts, &out};
  cudaLaunchCooperativeKernel(reinterpret_cast<void*>(add_up), dim3(8), dim3(128), arguments, 0, nullptr);
  write_output(from_device(out, 1));
}
