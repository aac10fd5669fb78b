// The last steps of a reduction inside one warp: shared memory with __syncwarp between reading and writing.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reduce(const int* in, int* out) {
  __shared__ int part[64];
  int t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    int value = part[t] + part[t + 32];
    for (int stride = 16; stride > 0; stride /= 2) {
      __syncwarp();
      part[t] = value;
      __syncwarp();
      if (t < stride) value += part[t + stride];
    }
    if (t == 0) out[blockIdx.x] = value;
  }
}

int main() {
  int values[320], got[5] = {};
  for (int i = 0; i < 320; ++i) values[i] = i * 13 % 257;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  reduce<<<5, 64>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int b = 0; b < 5; ++b) {
    int want = 0;
    for (int i = 0; i < 64; ++i) want += values[b * 64 + i];
    if (got[b] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", b, got[b], want), 1;
  }
  std::puts("PASS");
}
