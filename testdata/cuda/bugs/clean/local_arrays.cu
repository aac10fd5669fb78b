// Local arrays indexed at run time and handed to a function, used from the first to the last element.
#include <cstdio>

__device__ __noinline__ void insert_sorted(int* values, int count, int value) {
  int at = count;
  for (; at > 0 && values[at - 1] > value; --at) values[at] = values[at - 1];
  values[at] = value;
}

__global__ void sort_rows(const int* in, int* out, int per_thread) {
  int values[16];
  const int first = threadIdx.x * per_thread;
  for (int i = 0; i < per_thread; ++i) insert_sorted(values, i, in[first + i]);
  for (int i = 0; i < per_thread; ++i) out[first + i] = values[i];
}

int main() {
  const int n = 8 * 16;
  int host[n], result[n];
  for (int i = 0; i < n; ++i) host[i] = (i * 29) % 31;
  int *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(host));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sort_rows<<<1, 8>>>(in, out, 16);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  bool right = true;
  for (int i = 1; i < n; ++i) right = right && (i % 16 == 0 || result[i - 1] <= result[i]);
  printf("%d\n", right);
  return !right;
}
