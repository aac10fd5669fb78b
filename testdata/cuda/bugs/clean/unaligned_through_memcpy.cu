// Values at odd addresses read by memcpy, which may not assume an alignment, and written byte by byte.
#include <cstdio>
#include <cstring>

__global__ void unpack(const unsigned char* records, float* out, int n) {
  const int i = threadIdx.x;
  if (i >= n) return;
  float value;
  memcpy(&value, records + 5 * i + 1, sizeof(value));
  out[i] = value + records[5 * i];
}

int main() {
  const int n = 20;
  unsigned char host[5 * n];
  float result[n];
  for (int i = 0; i < n; ++i) {
    const float value = 0.5f * i;
    host[5 * i] = static_cast<unsigned char>(i);
    memcpy(host + 5 * i + 1, &value, sizeof(value));
  }
  unsigned char* records;
  float* out;
  cudaMalloc(&records, sizeof(host));
  cudaMalloc(&out, sizeof(result));
  cudaMemcpy(records, host, sizeof(host), cudaMemcpyHostToDevice);
  unpack<<<1, 32>>>(records, out, n);
  cudaMemcpy(result, out, sizeof(result), cudaMemcpyDeviceToHost);
  printf("%g\n", result[19]);
  return result[19] != 28.5f;
}
