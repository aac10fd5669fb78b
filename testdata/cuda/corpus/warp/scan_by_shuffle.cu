// Inclusive scan of a warp by __shfl_up_sync, then of the whole block through one value per warp.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scan(const int* in, int* out) {
  __shared__ int totals[8];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  int value = in[threadIdx.x];
  for (int offset = 1; offset < 32; offset *= 2) {
    int left = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value += left;
  }
  if (lane == 31) totals[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value += totals[w];
  out[threadIdx.x] = value;
}

int main() {
  int values[256], got[256] = {}, want = 0;
  for (int i = 0; i < 256; ++i) values[i] = i * 31 % 17 - 5;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(values));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  scan<<<1, 256>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; ++i) {
    want += values[i];
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
