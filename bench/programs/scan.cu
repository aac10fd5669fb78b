// Inclusive prefix sums of 1 Mi integers: a scan per block (Hillis and Steele, in shared memory), a scan of
// the blocks' sums, and their addition.
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

constexpr int kBlock = 1024;

__global__ void scan_blocks(const int* in, int* out, int* sums) {
  __shared__ int values[2][kBlock];
  const int i = blockIdx.x * kBlock + threadIdx.x;
  int from = 0;
  values[from][threadIdx.x] = in[i];
  __syncthreads();
  for (int offset = 1; offset < kBlock; offset *= 2) {
    int value = values[from][threadIdx.x];
    if (threadIdx.x >= offset) value += values[from][threadIdx.x - offset];
    values[1 - from][threadIdx.x] = value;
    from = 1 - from;
    __syncthreads();
  }
  out[i] = values[from][threadIdx.x];
  if (threadIdx.x == kBlock - 1) sums[blockIdx.x] = values[from][threadIdx.x];
}

__global__ void add_sums(int* out, const int* sums) {
  if (blockIdx.x > 0) out[blockIdx.x * kBlock + threadIdx.x] += sums[blockIdx.x - 1];
}

int main() {
  const int n = 1 << 20, blocks = n / kBlock;
  std::vector<int> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = i % 7 - 3;
  int *din, *dout, *dsums, *dtotals, *dignored;
  cudaMalloc(&din, n * sizeof(int));
  cudaMalloc(&dout, n * sizeof(int));
  cudaMalloc(&dsums, blocks * sizeof(int));
  cudaMalloc(&dtotals, blocks * sizeof(int));
  cudaMalloc(&dignored, sizeof(int));
  cudaMemcpy(din, in.data(), n * sizeof(int), cudaMemcpyHostToDevice);
  for (int repeat = 0; repeat < 6; ++repeat) {
    scan_blocks<<<blocks, kBlock>>>(din, dout, dsums);
    scan_blocks<<<1, kBlock>>>(dsums, dtotals, dignored);
    add_sums<<<blocks, kBlock>>>(dout, dtotals);
  }
  cudaMemcpy(out.data(), dout, n * sizeof(int), cudaMemcpyDeviceToHost);
  bool right = cudaGetLastError() == cudaSuccess;
  int sum = 0;
  for (int i = 0; i < n; ++i) right = right && out[i] == (sum += in[i]);
  std::puts(right ? "PASS" : "FAIL");
  return right ? 0 : 1;
}
