// Its own kernel adds what each thread reads; CUB adds up the parts.
// tasks: total
// executor: gpu
#include <cub/cub.cuh>
// insert: io device
__global__ void add_parts(const float* in, float* parts) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  float part = 0;
  for (int i = thread; i < kIn; i += 1024) part += in[i];
  parts[thread] = part;
}
int main() {
  float* parts = device_zeros<float>(1024);
  float* out = device_zeros<float>(kOut);
  add_parts<<<4, 256>>>(on_device(read_inputs()), parts);
  void* scratch = nullptr;
  size_t bytes = 0;
  cub::DeviceReduce::Sum(scratch, bytes, parts, out, 1024);
  cudaMalloc(&scratch, bytes);
  cub::DeviceReduce::Sum(scratch, bytes, parts, out, 1024);
  write_output(from_device(out, kOut));
}
