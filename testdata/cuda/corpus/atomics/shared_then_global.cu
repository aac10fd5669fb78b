// A histogram in shared memory, merged into global memory by atomics.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void histogram(const unsigned char* in, int count, unsigned* out) {
  __shared__ unsigned bins[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) bins[i] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&bins[in[i]], 1u);
  __syncthreads();
  for (int i = threadIdx.x; i < 256; i += blockDim.x)
    if (bins[i]) atomicAdd(&out[i], bins[i]);
}

int main() {
  static unsigned char values[50001];
  unsigned want[256] = {}, got[256] = {};
  unsigned state = 1;
  for (unsigned char& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<unsigned char>((state >> 24) & (state >> 16));
    ++want[value];
  }
  unsigned char* in;
  cudaMalloc(&in, sizeof(values));
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  cudaMemset(out, 0, sizeof(got));
  histogram<<<12, 96>>>(in, 50001, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i)
    if (got[i] != want[i]) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], want[i]), 1;
  std::puts("PASS");
}
