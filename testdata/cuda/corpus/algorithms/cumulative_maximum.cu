// Running maximum: a scan whose operation is max, across the blocks of an array.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int block_scan(int value) {
  __shared__ int warps[4];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int offset = 1; offset < 32; offset *= 2) {
    int left = __shfl_up_sync(0xffffffffu, value, offset);
    if (lane >= offset) value = max(value, left);
  }
  if (lane == 31) warps[warp] = value;
  __syncthreads();
  for (int w = 0; w < warp; ++w) value = max(value, warps[w]);
  return value;
}

__global__ void scan(const int* in, int* out, int* last) {
  int i = blockIdx.x * 128 + threadIdx.x, value = block_scan(in[i]);
  out[i] = value;
  if (threadIdx.x == 127) last[blockIdx.x] = value;
}

__global__ void carry(int* out, const int* last) {
  int i = blockIdx.x * 128 + threadIdx.x;
  for (unsigned b = 0; b < blockIdx.x; ++b) out[i] = max(out[i], last[b]);
}

int main() {
  static int values[1024], got[1024];
  for (int i = 0; i < 1024; ++i) values[i] = (i * 7919 % 1031) * (i % 17) / 16 + i / 4 - 2000;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(values));
  int* last;
  cudaMalloc(&last, 8 * sizeof(int));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  scan<<<8, 128>>>(in, out, last);
  carry<<<8, 128>>>(out, last);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0, want = values[0]; i < 1024; ++i) {
    want = values[i] > want ? values[i] : want;
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  }
  std::puts("PASS");
}
