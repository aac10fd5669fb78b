// Grids and blocks of one, two and three dimensions: every built-in index of every thread.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void mark(unsigned* out) {
  unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  out[block * blockDim.x * blockDim.y * blockDim.z + thread] += blockIdx.x + 16 * blockIdx.y +
                                                                256 * blockIdx.z + 4096 * threadIdx.x +
                                                                65536 * threadIdx.y + 1048576 * threadIdx.z;
}

int main() {
  dim3 grids[4] = {dim3(7), dim3(3, 5), dim3(2, 3, 4), dim3(1, 1, 9)},
       blocks[4] = {dim3(5, 4, 3), dim3(15, 2), dim3(11), dim3(2, 2, 8)};
  static unsigned got[2000];
  unsigned* out;
  cudaMalloc(&out, sizeof(got));
  for (int k = 0; k < 4; ++k) {
    dim3 grid = grids[k], block = blocks[k];
    cudaMemset(out, 0, sizeof(got));
    mark<<<grid, block>>>(out);
    if (cudaError_t error = cudaDeviceSynchronize())
      return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
    cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
    int i = 0;
    for (unsigned b = 0; b < grid.x * grid.y * grid.z; ++b)
      for (unsigned t = 0; t < block.x * block.y * block.z; ++t, ++i) {
        unsigned want = b % grid.x + 16 * (b / grid.x % grid.y) + 256 * (b / grid.x / grid.y) +
                        4096 * (t % block.x) + 65536 * (t / block.x % block.y) +
                        1048576 * (t / block.x / block.y);
        if (got[i] != want) return std::printf("FAIL [%d] got %x, wanted %x\n", i, got[i], want), 1;
      }
    if (got[i] != 0) return std::puts("FAIL a thread too many"), 1;
  }
  std::puts("PASS");
}
