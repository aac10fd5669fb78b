// A struct passed by value: every thread changes its own copy.
#include <cstdio>

struct Range {
  const int* values;
  int length;
  int seen[4];
};

__global__ void sums(Range range, int* out) {
  for (int k = 0; k < 4; ++k) range.seen[k] = threadIdx.x + k;
  range.values += threadIdx.x;
  range.length -= threadIdx.x;
  int sum = 0;
  for (; range.length > 0; --range.length) sum += *range.values++;
  out[threadIdx.x] = sum + range.seen[threadIdx.x % 4];
}

int main() {
  int host[32], result[32];
  for (int i = 0; i < 32; ++i) host[i] = 1;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  const Range range = {in, 32, {}};
  sums<<<1, 32>>>(range, out);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%d %d\n", result[0], result[31]);
  return result[0] != 32 || result[31] != 1 + 31 + 3;
}
