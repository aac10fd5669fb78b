// Launches that cannot be: too many threads, none, too large a grid; reading the error clears it.
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

__global__ void mark(int* data) { data[threadIdx.x] = 5; }

int main() {
  int got[32] = {};
  int* data;
  cudaMalloc(&data, sizeof(got));
  const dim3 grids[6] = {dim3(1), dim3(1), dim3(0), dim3(1), dim3(1, 70000), dim3(1)};
  const dim3 blocks[6] = {dim3(1025), dim3(0), dim3(32), dim3(32, 32, 2), dim3(1), dim3(1, 1, 65)};
  for (int i = 0; i < 6; ++i) {
    mark<<<grids[i], blocks[i]>>>(data);
    cudaError_t peeked = cudaPeekAtLastError(), first = cudaGetLastError(), second = cudaGetLastError();
    // which of the two depends on the version of CUDA
    bool refused = first == cudaErrorInvalidConfiguration || first == cudaErrorInvalidValue;
    if (!refused || peeked != first || second != cudaSuccess)
      return std::printf("FAIL [%d] peek %d, get %d, then %d\n", i, peeked, first, second), 1;
  }
  mark<<<1, 32>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, data, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; ++i)
    if (got[i] != 5) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], 5), 1;
  std::puts("PASS");
}
