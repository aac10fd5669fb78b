// Hillis and Steele with two buffers that change places, one launch per step.
// tasks: prefix_sum
// insert: io device

#include <utility>
__global__ void step(const int* from, int* to, int distance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < kOut) to[i] = from[i] + (i >= distance ? from[i - distance] : 0);
}
int main() {
  int *from = on_device(read_inputs()), *to = device_zeros<int>(kOut);
  for (int distance = 1; distance < kOut; distance *= 2) {
    step<<<8, 256>>>(from, to, distance);
    std::swap(from, to);
  }
  write_output(from_device(from, kOut));
}
