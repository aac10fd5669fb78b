// printf of successive launches appears in the order of the launches.
// expect: launch 0, block 1 of 2
// expect: launch 1, block 1 of 2
// expect: launch 2, block 1 of 2
// expect: done
#include <cuda_runtime.h>

#include <cstdio>

__global__ void speak(int number) {
  if (blockIdx.x == 1 && threadIdx.x == 0)
    printf("launch %d, block %d of %d\n", number, blockIdx.x, gridDim.x);
}

int main() {
  for (int i = 0; i < 3; ++i) speak<<<2, 16>>>(i);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  std::puts("done");
}
