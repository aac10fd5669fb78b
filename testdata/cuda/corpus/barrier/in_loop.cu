// __syncthreads in a loop: tree reduction of a block with a barrier every round.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void reduce(const int* in, int* out) {
  __shared__ int part[256];
  part[threadIdx.x] = in[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  for (int stride = 128; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) part[threadIdx.x] += part[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

int main() {
  static int values[16 * 256];
  int got[16] = {};
  for (int i = 0; i < 16 * 256; ++i) values[i] = i % 1013 - 300;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  reduce<<<16, 256>>>(in, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int b = 0; b < 16; ++b) {
    int want = 0;
    for (int i = 0; i < 256; ++i) want += values[b * 256 + i];
    if (got[b] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", b, got[b], want), 1;
  }
  std::puts("PASS");
}
