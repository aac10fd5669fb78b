// cudaMemsetAsync and cudaMemcpy2DAsync in a stream with priority, in order with kernels.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void add_row(int* cells, int pitch_in_cells) {
  cells[threadIdx.y * pitch_in_cells + threadIdx.x] += threadIdx.y;
}

int main() {
  int low = 0, high = 0;
  cudaDeviceGetStreamPriorityRange(&low, &high);
  if (high > low) return std::printf("FAIL priorities %d to %d\n", low, high), 1;
  cudaStream_t stream;
  if (cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, high) != cudaSuccess)
    return std::puts("FAIL stream"), 1;
  int got[6][8] = {};
  int* cells;
  cudaMalloc(&cells, 6 * 16 * sizeof(int));
  cudaMemsetAsync(cells, 0, 6 * 16 * sizeof(int), stream);
  cudaMemsetAsync(cells + 16, 1, 16 * sizeof(int), stream);
  add_row<<<1, dim3(16, 6), 0, stream>>>(cells, 16);
  cudaMemcpy2DAsync(got, sizeof(got[0]), cells + 4, 16 * sizeof(int), sizeof(got[0]), 6,
                    cudaMemcpyDeviceToHost, stream);
  if (cudaStreamSynchronize(stream) != cudaSuccess) return std::puts("FAIL work"), 1;
  for (int i = 0; i < 48; ++i)
    if (got[i / 8][i % 8] != (i / 8 == 1 ? 0x01010101 + 1 : i / 8))
      return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i / 8][i % 8],
                         (i / 8 == 1 ? 0x01010101 + 1 : i / 8)),
             1;
  std::puts("PASS");
}
