// The address of a variable on the host's stack as the place of a result.
#include <cstdio>

__global__ void count_positive(const int* in, int n, int* count) {  // finds: host_pointer
  int found = 0;
  for (int i = 0; i < n; ++i) found += in[i] > 0;
  *count = found;  // or: host_pointer
}

int main() {
  int* in;
  int count = 0;
  cudaMalloc(&in, 16 * sizeof(int));
  cudaMemset(in, 1, 16 * sizeof(int));
  count_positive<<<1, 1>>>(in, 16, &count);
  printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
  return 0;
}
