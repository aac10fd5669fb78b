// The data of a std::vector goes straight into a kernel.
#include <cstdio>
#include <vector>

__global__ void increment(int* data, int n) {  // finds: host_pointer
  const int i = threadIdx.x;
  if (i < n) data[i] += 1;  // or: host_pointer
}

int main() {
  std::vector<int> data(64, 1);
  increment<<<1, 64>>>(data.data(), 64);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
