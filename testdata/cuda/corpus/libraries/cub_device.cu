// CUB's algorithms of a whole device: DeviceReduce, DeviceScan, DeviceSelect, DeviceHistogram, DeviceSegmentedReduce.
// needs: CCCL
#include <cub/cub.cuh>

#include <cstdio>

#define WITH_STORAGE(call)       \
  do {                           \
    void* storage = nullptr;     \
    size_t bytes = 0;            \
    call;                        \
    cudaMalloc(&storage, bytes); \
    call;                        \
    cudaDeviceSynchronize();     \
    cudaFree(storage);           \
  } while (0)

struct IsLarge {
  __host__ __device__ bool operator()(int x) const { return x > 700; }
};

int main() {
  const int n = 30000, segments = 10;
  int *in, *out, *count, *offsets;
  cudaMallocManaged(&in, n * sizeof(int));
  cudaMallocManaged(&out, n * sizeof(int));
  cudaMallocManaged(&count, 64 * sizeof(int));
  cudaMallocManaged(&offsets, (segments + 1) * sizeof(int));
  int largest = -1, large = 0, bins[4] = {};
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(i * 2654435761u % 1000);
    largest = in[i] > largest ? in[i] : largest;
    large += in[i] > 700;
    ++bins[in[i] / 250];
  }
  for (int s = 0; s <= segments; ++s) offsets[s] = s * s * (n / (segments * segments));

  WITH_STORAGE(cub::DeviceReduce::Max(storage, bytes, in, count, n));
  if (count[0] != largest) return std::printf("FAIL max %d, wanted %d\n", count[0], largest), 1;

  WITH_STORAGE(cub::DeviceScan::InclusiveSum(storage, bytes, in, out, n));
  for (int i = 0, sum = 0; i < n; ++i)
    if (sum += in[i]; out[i] != sum) return std::printf("FAIL scan [%d] %d, wanted %d\n", i, out[i], sum), 1;

  WITH_STORAGE(cub::DeviceSelect::If(storage, bytes, in, out, count, n, IsLarge()));
  if (count[0] != large) return std::printf("FAIL selected %d, wanted %d\n", count[0], large), 1;
  for (int i = 0, k = 0; i < n; ++i)
    if (in[i] > 700 && out[k++] != in[i]) return std::printf("FAIL selection [%d]\n", k - 1), 1;

  WITH_STORAGE(cub::DeviceHistogram::HistogramEven(storage, bytes, in, count, 5, 0, 1000, n));
  for (int b = 0; b < 4; ++b)
    if (count[b] != bins[b]) return std::printf("FAIL bin %d: %d, wanted %d\n", b, count[b], bins[b]), 1;

  WITH_STORAGE(cub::DeviceSegmentedReduce::Sum(storage, bytes, in, out, segments, offsets, offsets + 1));
  for (int s = 0; s < segments; ++s) {
    int sum = 0;
    for (int i = offsets[s]; i < offsets[s + 1]; ++i) sum += in[i];
    if (out[s] != sum) return std::printf("FAIL segment %d: %d, wanted %d\n", s, out[s], sum), 1;
  }
  std::puts("PASS");
}
