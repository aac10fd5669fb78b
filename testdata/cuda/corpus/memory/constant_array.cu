// __constant__ array filled by cudaMemcpyToSymbol, indexed uniformly and by each thread.
#include <cuda_runtime.h>

#include <cstdio>

__constant__ float coefficients[16];

__global__ void polynomial(const float* in, float* out) {
  float x = in[threadIdx.x], sum = 0;
  for (int i = 15; i >= 0; --i) sum = sum * x + coefficients[i];
  out[threadIdx.x] = sum + coefficients[threadIdx.x % 16] * 1000;
}

int main() {
  float table[16], values[64], got[64] = {};
  for (int i = 0; i < 16; ++i) table[i] = i % 5 - 2;
  for (int i = 0; i < 64; ++i) values[i] = i % 3 - 1;
  cudaMemcpyToSymbol(coefficients, table, sizeof(table));
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  polynomial<<<1, 64>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int t = 0; t < 64; ++t) {
    float sum = 0, power = 1;
    for (int i = 0; i < 16; ++i, power *= values[t]) sum += table[i] * power;
    if (got[t] != sum + table[t % 16] * 1000)
      return std::printf("FAIL [%d] got %g, wanted %g\n", t, got[t], sum + table[t % 16] * 1000), 1;
  }
  std::puts("PASS");
}
