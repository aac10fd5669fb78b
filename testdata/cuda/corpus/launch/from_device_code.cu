// Dynamic parallelism: grids that device code launches, templates and structs among them, to a depth of three; the tail.
// nvcc: -rdc=true
#include <cuda_runtime.h>

#include <cstdio>

struct Range {
  int* values;
  int first, count, step;
};

template <class T, int kFactor>
__global__ void leaf(Range range, T more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < range.count) range.values[range.first + i] = (range.first + i) * kFactor + static_cast<int>(more);
}

// Halves its range until it is small.
__global__ void split(Range range, int depth) {
  const Range half = {range.values, range.first + static_cast<int>(threadIdx.x) * range.count / 2,
                      range.count / 2, range.step};
  if (depth == 0) {
    leaf<float, 3><<<(half.count + 31) / 32, 32>>>(half, 1.0f);
  } else {
    split<<<1, 2, 0, cudaStreamFireAndForget>>>(half, depth - 1);
  }
}

__global__ void sum(const int* values, int count, long long* total) {
  long long mine = 0;
  for (int i = 0; i < count; ++i) mine += values[i];
  *total = mine;
}

__global__ void whole(Range range, long long* total) {
  if (threadIdx.x != 0) return;
  sum<<<1, 1, 0, cudaStreamTailLaunch>>>(range.values, range.count, total);
  split<<<1, 2>>>(range, 2);
  if (cudaGetLastError() != cudaSuccess) *total = -2;
}

int main() {
  constexpr int kCount = 1024;
  int* values;
  long long* total;
  cudaMallocManaged(&values, kCount * sizeof(int));
  cudaMallocManaged(&total, sizeof *total);
  for (int i = 0; i < kCount; ++i) values[i] = -1;
  *total = -1;
  whole<<<1, 32>>>({values, 0, kCount, 1}, total);
  if (cudaDeviceSynchronize() != cudaSuccess) return std::puts("FAIL launch"), 1;
  for (int i = 0; i < kCount; ++i)
    if (values[i] != 3 * i + 1) return std::printf("FAIL [%d] %d\n", i, values[i]), 1;
  const long long wanted = 3ll * kCount * (kCount - 1) / 2 + kCount;
  if (*total != wanted) return std::printf("FAIL sum %lld, wanted %lld\n", *total, wanted), 1;
  std::puts("PASS");
}
