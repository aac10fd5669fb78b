// Threads go over their elements again until none of them waits for a neighbor that another thread has to finish; what
// tells them is volatile, and only the way through the loop's body remembers it.
// check: skip threads speak to each other through plain volatile bytes
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kCount = 600;

// Element i may be finished when i + 7 is.
__global__ void finish(volatile unsigned char* done, int count) {
  const int first = blockIdx.x * blockDim.x + threadIdx.x, step = gridDim.x * blockDim.x;
  int missing;
  do {
    missing = 0;
    for (int i = first; i < count; i += step) {
      if (done[i] != 0) continue;
      if (i + 7 < count && done[i + 7] == 0) {
        missing = 1;
      } else {
        done[i] = 1;
      }
    }
  } while (missing != 0);
}

int main() {
  unsigned char got[kCount + 1] = {};
  unsigned char* done;
  cudaMalloc(&done, sizeof got);
  cudaMemset(done, 0, sizeof got);
  finish<<<3, 64>>>(done, kCount);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, done, sizeof got, cudaMemcpyDeviceToHost);
  for (int i = 0; i <= kCount; ++i)
    if (got[i] != (i < kCount)) return std::printf("FAIL [%d] got %d\n", i, got[i]), 1;
  std::puts("PASS");
}
