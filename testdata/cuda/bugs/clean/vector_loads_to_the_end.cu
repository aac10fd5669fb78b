// float4 loads exactly up to the end, and scalar loads for the rest; the pointers meet the end without
// passing it.
#include <cstdio>

__global__ void sum(const float* in, int n, float* out) {
  float total = 0;
  const float4* vector = reinterpret_cast<const float4*>(in);
  const float4* vector_end = vector + n / 4;
  for (; vector != vector_end; ++vector) total += vector->x + vector->y + vector->z + vector->w;
  const float* end = in + n;
  for (const float* rest = reinterpret_cast<const float*>(vector); rest != end; ++rest) total += *rest;
  *out = total;
}

int main() {
  const int n = 103;
  float host[n], result = 0;
  for (int i = 0; i < n; ++i) host[i] = 1.0f;
  float *in, *out;
  cudaMalloc(&in, sizeof(host));
  cudaMalloc(&out, sizeof(float));
  cudaMemcpy(in, host, sizeof(host), cudaMemcpyHostToDevice);
  sum<<<1, 1>>>(in, n, out);
  cudaMemcpy(&result, out, sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", result);
  return result != 103.0f;
}
