// CUB inside a kernel: BlockLoad, BlockReduce, BlockScan, BlockRadixSort, BlockStore, WarpReduce, WarpScan.
// needs: CCCL
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <vector>

constexpr int kThreads = 96, kItems = 4, kTile = kThreads * kItems;

__global__ void work(const int* in, int* sorted, int* scanned, int* sums, float* warp_sums, int* warp_scans) {
  using Load = cub::BlockLoad<int, kThreads, kItems, cub::BLOCK_LOAD_TRANSPOSE>;
  using Store = cub::BlockStore<int, kThreads, kItems, cub::BLOCK_STORE_TRANSPOSE>;
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using WarpSum = cub::WarpReduce<float>;
  using WarpScan = cub::WarpScan<int>;
  __shared__ union {
    typename Load::TempStorage load;
    typename Store::TempStorage store;
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename WarpSum::TempStorage warp_sum[kThreads / 32];
    typename WarpScan::TempStorage warp_scan[kThreads / 32];
  } storage;
  const int start = blockIdx.x * kTile, warp = threadIdx.x / 32, thread = blockIdx.x * kThreads + threadIdx.x;
  int items[kItems], prefix[kItems];
  Load(storage.load).Load(in + start, items);
  __syncthreads();
  const int sum = Reduce(storage.reduce).Sum(items);
  if (threadIdx.x == 0) sums[blockIdx.x] = sum;
  __syncthreads();
  Scan(storage.scan).ExclusiveSum(items, prefix);
  __syncthreads();
  Store(storage.store).Store(scanned + start, prefix);
  __syncthreads();
  const float warp_sum = WarpSum(storage.warp_sum[warp]).Sum(static_cast<float>(items[0]));
  if (threadIdx.x % 32 == 0) warp_sums[thread / 32] = warp_sum;
  __syncthreads();
  int warp_prefix;
  WarpScan(storage.warp_scan[warp]).InclusiveSum(items[1], warp_prefix);
  warp_scans[thread] = warp_prefix;
  __syncthreads();
  Sort(storage.sort).Sort(items);
  __syncthreads();
  Store(storage.store).Store(sorted + start, items);
}

int main() {
  const int blocks = 5, n = blocks * kTile;
  int *in, *sorted, *scanned, *sums, *warp_scans;
  float* warp_sums;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&sorted, n * sizeof(int));
  cudaMallocManaged(&scanned, n * sizeof(int));
  cudaMallocManaged(&sums, blocks * sizeof(int));
  cudaMallocManaged(&warp_scans, blocks * kThreads * sizeof(int));
  cudaMallocManaged(&warp_sums, blocks * kThreads / 32 * sizeof(float));
  for (int i = 0; i < n; ++i) in[i] = static_cast<int>(i * 2654435761u % 2001) - 1000;
  work<<<blocks, kThreads>>>(in, sorted, scanned, sums, warp_sums, warp_scans);
  if (cudaError_t error = cudaDeviceSynchronize())
    return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  for (int b = 0; b < blocks; ++b) {
    std::vector<int> wanted(in + b * kTile, in + (b + 1) * kTile);
    int sum = 0;
    for (int i = 0; i < kTile; ++i) {
      if (scanned[b * kTile + i] != sum) return std::printf("FAIL scan of block %d at %d\n", b, i), 1;
      sum += wanted[i];
    }
    if (sums[b] != sum) return std::printf("FAIL sum %d, wanted %d\n", sums[b], sum), 1;
    for (int w = 0; w < kThreads / 32; ++w) {
      int first = 0, second = 0;
      for (int t = w * 32; t < w * 32 + 32; ++t) {
        first += wanted[t * kItems];
        second += wanted[t * kItems + 1];
        if (warp_scans[b * kThreads + t] != second) return std::printf("FAIL scan of warp at %d\n", t), 1;
      }
      if (warp_sums[b * kThreads / 32 + w] != first) return std::printf("FAIL sum of warp %d\n", w), 1;
    }
    std::sort(wanted.begin(), wanted.end());
    if (!std::equal(wanted.begin(), wanted.end(), sorted + b * kTile))
      return std::printf("FAIL sort %d\n", b), 1;
  }
  std::puts("PASS");
}
