// The ten largest of an array: each round a block-wide argmax, ties to the smaller index.
#include <cuda_runtime.h>
#include <algorithm>

#include <algorithm>
#include <cstdio>

__global__ void top(const int* in, int count, int k, int* out) {
  __shared__ long long best[128];
  __shared__ long long limit;
  if (threadIdx.x == 0) limit = 0x7fffffffffffffffLL;
  __syncthreads();
  for (int round = 0; round < k; ++round) {
    long long mine = -0x7fffffffffffffffLL;
    for (int i = threadIdx.x; i < count; i += 128) {
      long long key = in[i] * 65536LL + (65535 - i);
      if (key < limit && key > mine) mine = key;
    }
    best[threadIdx.x] = mine;
    for (int stride = 64; stride > 0; stride /= 2) {
      __syncthreads();
      if (threadIdx.x < stride && best[threadIdx.x + stride] > best[threadIdx.x])
        best[threadIdx.x] = best[threadIdx.x + stride];
    }
    if (threadIdx.x == 0) {
      limit = best[0];
      out[round] = 65535 - static_cast<int>(((best[0] % 65536) + 65536) % 65536);
    }
    __syncthreads();
  }
}

int main() {
  const int count = 3000, k = 10;
  static int values[count];
  int got[k] = {}, order[count];
  for (int i = 0; i < count; ++i) values[i] = i * 7919 % 997 - 900, order[i] = i;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(got));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  top<<<1, 128>>>(in, count, k, out);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  std::stable_sort(order, order + count, [&](int a, int b) { return values[a] > values[b]; });
  for (int i = 0; i < k; ++i)
    if (got[i] != order[i]) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], order[i]), 1;
  std::puts("PASS");
}
