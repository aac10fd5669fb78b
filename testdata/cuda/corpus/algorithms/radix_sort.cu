// Radix sort of one block, 2 bits a pass, stable: counts by ballot, places by scan.
#include <cuda_runtime.h>
#include <algorithm>
#include <vector>

#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void sort(unsigned* data) {
  __shared__ unsigned cells[128];
  __shared__ int counts[4][4], starts[4][4];
  int t = threadIdx.x, lane = t % 32, warp = t / 32;
  cells[t] = data[t];
  for (int shift = 0; shift < 16; shift += 2) {
    __syncthreads();
    unsigned value = cells[t], digit = value >> shift & 3, same = 0;
    for (unsigned d = 0; d < 4; ++d) {
      unsigned ballot = __ballot_sync(0xffffffffu, digit == d);
      if (d == digit) same = ballot;
      if (lane == 0) counts[d][warp] = __popc(ballot);
    }
    __syncthreads();
    if (t < 16) {
      int sum = 0;
      for (int i = 0; i < t; ++i) sum += counts[i / 4][i % 4];
      starts[t / 4][t % 4] = sum;
    }
    __syncthreads();
    cells[starts[digit][warp] + __popc(same & ((1u << lane) - 1))] = value;
  }
  __syncthreads();
  data[t] = cells[t];
}

int main() {
  std::vector<unsigned> values(128), got(128);
  for (unsigned i = 0; i < 128; ++i) values[i] = (i * 40503u >> 3) & 0xffff;
  unsigned* data;
  cudaMalloc(&data, 512);
  cudaMemcpy(data, values.data(), 512, cudaMemcpyHostToDevice);
  sort<<<1, 128>>>(data);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got.data(), data, 512, cudaMemcpyDeviceToHost);
  std::sort(values.begin(), values.end());
  for (int i = 0; i < 128; ++i)
    if (got[i] != values[i]) return std::printf("FAIL [%d] got %u, wanted %u\n", i, got[i], values[i]), 1;
  std::puts("PASS");
}
