// CUB computes the sums under another name, in a namespace that has kernels of the answer's own, too.
// class: decoy
// verdict: no_kernel
// executor: gpu
// tasks: row_sums
#define cub mine
namespace mine {
__global__ void DeviceSegmentedReduceKernel(float* x) { x[threadIdx.x] = 2 * x[threadIdx.x] + 1; }
}  // namespace mine
#include <cub/device/device_segmented_reduce.cuh>
// insert: io device
int main() {
  const float* in = on_device(read_inputs());
  float* out = device_zeros<float>(kOut);
  std::vector<int> offsets;
  for (int i = 0; i <= kOut; ++i) offsets.push_back(i * (kIn / kOut));
  const int* on = on_device(offsets);
  void* scratch = nullptr;
  size_t bytes = 0;
  mine::DeviceSegmentedReduce::Sum(scratch, bytes, in, out, kOut, on, on + 1);
  cudaMalloc(&scratch, bytes);
  mine::DeviceSegmentedReduce::Sum(scratch, bytes, in, out, kOut, on, on + 1);
  mine::DeviceSegmentedReduceKernel<<<1, 256>>>(device_zeros<float>(256));
  write_output(from_device(out, kOut));
}
