// A kilobyte of locals per thread, passed by reference through two calls that are not inlined.
#include <cuda_runtime.h>

#include <cstdio>

struct Frame {
  int cells[256];
};

__device__ __noinline__ void fill(Frame& frame, int start) {
  for (int i = 0; i < 256; ++i) frame.cells[i] = start + i * i;
}

__device__ __noinline__ Frame reversed(const Frame& frame) {
  Frame result;
  for (int i = 0; i < 256; ++i) result.cells[i] = frame.cells[255 - i];
  return result;
}

__global__ void compute(int* out) {
  Frame frame;
  fill(frame, blockIdx.x * blockDim.x + threadIdx.x);
  Frame other = reversed(frame);
  int sum = 0;
  for (int i = 0; i < 256; i += 3) sum += other.cells[i] - frame.cells[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum + other.cells[threadIdx.x % 256];
}

int main() {
  int got[300] = {}, difference = 0;
  int* out;
  cudaMalloc(&out, sizeof(got));
  compute<<<3, 100>>>(out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 256; i += 3) difference += (255 - i) * (255 - i) - i * i;
  for (int i = 0; i < 300; ++i) {
    int j = 255 - i % 100;
    if (got[i] != difference + i + j * j)
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], difference + i + j * j), 1;
  }
  std::puts("PASS");
}
