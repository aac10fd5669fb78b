// The largest float by compare-and-swap: a plain read first, then tries until nobody came in between.
#include <cstdio>

__device__ void keep_largest(float* address, float value) {
  int* bits = reinterpret_cast<int*>(address);
  int seen = *bits;
  while (__int_as_float(seen) < value) {
    const int before = atomicCAS(bits, seen, __float_as_int(value));
    if (before == seen) break;
    seen = before;
  }
}

__global__ void largest(const float* in, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) keep_largest(out, in[i]);
}

int main() {
  float *in, *out, host[200], result = -1;
  for (int i = 0; i < 200; ++i) host[i] = (i * 37) % 199 * 0.5f;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  cudaMemcpy(out, &result, sizeof(float), cudaMemcpyHostToDevice);
  largest<<<4, 64>>>(in, 200, out);
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  return result != 99.0f;
}
