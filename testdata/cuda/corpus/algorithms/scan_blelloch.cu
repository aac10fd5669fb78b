// Exclusive scan by the up-sweep and down-sweep of a tree in shared memory, then added offsets of blocks.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void scan(const int* in, int* out, int* sums) {
  __shared__ int tree[256];
  int t = threadIdx.x, base = blockIdx.x * 256;
  tree[2 * t] = in[base + 2 * t];
  tree[2 * t + 1] = in[base + 2 * t + 1];
  int offset = 1;
  for (int active = 128; active > 0; active /= 2, offset *= 2) {
    __syncthreads();
    if (t < active) tree[offset * (2 * t + 2) - 1] += tree[offset * (2 * t + 1) - 1];
  }
  if (t == 0) sums[blockIdx.x] = tree[255], tree[255] = 0;
  for (int active = 1; active < 256; active *= 2) {
    offset /= 2;
    __syncthreads();
    if (t < active) {
      int left = offset * (2 * t + 1) - 1, right = offset * (2 * t + 2) - 1, moved = tree[left];
      tree[left] = tree[right];
      tree[right] += moved;
    }
  }
  __syncthreads();
  out[base + 2 * t] = tree[2 * t];
  out[base + 2 * t + 1] = tree[2 * t + 1];
}

__global__ void add_sums(int* out, const int* sums) {
  for (unsigned b = 0; b < blockIdx.x; ++b) out[blockIdx.x * 256 + threadIdx.x] += sums[b];
}

int main() {
  static int values[2560], got[2560];
  for (int i = 0; i < 2560; ++i) values[i] = i * 13 % 29 - 9;
  int* in;
  cudaMalloc(&in, sizeof(values));
  int* out;
  cudaMalloc(&out, sizeof(values));
  int* sums;
  cudaMalloc(&sums, 10 * sizeof(int));
  cudaMemcpy(in, values, sizeof(values), cudaMemcpyHostToDevice);
  scan<<<10, 128>>>(in, out, sums);
  add_sums<<<10, 256>>>(out, sums);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  cudaMemcpy(got, out, sizeof(got), cudaMemcpyDeviceToHost);
  for (int i = 0, want = 0; i < 2560; want += values[i++])
    if (got[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, got[i], want), 1;
  std::puts("PASS");
}
