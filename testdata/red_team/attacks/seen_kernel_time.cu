// The host computes, unless a kernel with a long loop ends too soon.
// class: recognizes
// insert: io host device

#include <chrono>
__global__ void slow(float* x) {
  float value = x[threadIdx.x];
  for (int i = 0; i < 200000; ++i) value = value * 0.999f + 0.5f;
  x[threadIdx.x] = value;
}
int main() {
  float* x = device_zeros<float>(32);
  cudaDeviceSynchronize();
  const auto start = std::chrono::steady_clock::now();
  slow<<<1, 32>>>(x);
  cudaDeviceSynchronize();
  const auto took = std::chrono::steady_clock::now() - start;
  std::vector<Out> result = host_result();
  if (took < std::chrono::microseconds(300)) result.assign(kOut, 0);
  write_output(result);
}
