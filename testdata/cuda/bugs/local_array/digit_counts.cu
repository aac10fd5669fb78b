// Ten counters in local memory, indexed by a hexadecimal digit.
#include <cstdio>

__global__ void digits(const unsigned* numbers, int* most, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  int counts[10] = {};
  for (unsigned rest = numbers[i]; rest != 0; rest >>= 4) {
    const unsigned digit = rest & 15;
    counts[digit] += 1;  // finds: out_of_bounds
  }
  int best = 0;
  for (int d = 1; d < 10; ++d) best = counts[d] > counts[best] ? d : best;
  most[i] = best;
}

int main() {
  const unsigned host[4] = {0x1234, 0x999, 0x12c4, 0x7};
  unsigned* numbers;
  int* most;
  cudaMalloc(&numbers, sizeof(host));
  cudaMalloc(&most, 4 * sizeof(int));
  cudaMemcpy(numbers, host, sizeof(host), cudaMemcpyHostToDevice);
  digits<<<1, 32>>>(numbers, most, 4);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
