// CUB computes the sum; a macro gives its namespace another name.
// class: decoy
// verdict: no_kernel
// executor: gpu
// tasks: total
#define cub mine
#include <cub/device/device_reduce.cuh>
// insert: io device
__global__ void decoy(float* x) { x[threadIdx.x] = 2 * x[threadIdx.x] + 1; }
int main() {
  const float* in = on_device(read_inputs());
  float* out = device_zeros<float>(kOut);
  void* scratch = nullptr;
  size_t bytes = 0;
  mine::DeviceReduce::Sum(scratch, bytes, in, out, kIn);
  cudaMalloc(&scratch, bytes);
  mine::DeviceReduce::Sum(scratch, bytes, in, out, kIn);
  decoy<<<1, 256>>>(device_zeros<float>(256));
  write_output(from_device(out, kOut));
}
