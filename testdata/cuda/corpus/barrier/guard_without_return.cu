// Threads beyond the end of the data skip the work but reach every barrier.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void sum_block(const float* in, int count, float* out) {
  __shared__ float part[128];
  int i = blockIdx.x * 128 + threadIdx.x;
  part[threadIdx.x] = i < count ? in[i] : 0.0f;
  __syncthreads();
  for (int stride = 64; stride > 0; stride >>= 1) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
  const int count = 300;
  float values[count], got[3] = {};
  for (int i = 0; i < count; ++i) values[i] = i * 0.5f;
  float* in;
  cudaMalloc(&in, sizeof(values));
  float* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  sum_block<<<3, 128>>>(in, count, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int b = 0; b < 3; ++b) {
    float want = 0;  // multiples of a half below 2^23: every order gives the same sum
    for (int i = b * 128; i < b * 128 + 128 && i < count; ++i) want += values[i];
    if (got[b] != want) return std::printf("FAIL [%d] got %g, wanted %g\n", b, got[b], want), 1;
  }
  std::puts("PASS");
}
