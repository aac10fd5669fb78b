// CUB's DeviceRadixSort: pairs, descending keys, 64-bit keys over some of their bits.
// needs: CCCL
#include <cub/device/device_radix_sort.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

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

int main() {
  const int n = 20000;
  float *keys, *sorted_keys;
  int *values, *sorted_values;
  unsigned long long *words, *sorted_words;
  cudaMallocManaged(&keys, n * sizeof(float));
  cudaMallocManaged(&sorted_keys, n * sizeof(float));
  cudaMallocManaged(&values, n * sizeof(int));
  cudaMallocManaged(&sorted_values, n * sizeof(int));
  cudaMallocManaged(&words, n * sizeof(*words));
  cudaMallocManaged(&sorted_words, n * sizeof(*words));
  for (int i = 0; i < n; ++i) {
    keys[i] = (static_cast<int>(i * 2654435761u % 4001) - 2000) * 0.125f;
    values[i] = i;
    words[i] = i * 0x9e3779b97f4a7c15ull;
  }
  std::vector<int> wanted(n);
  std::iota(wanted.begin(), wanted.end(), 0);
  std::stable_sort(wanted.begin(), wanted.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  WITH_STORAGE(cub::DeviceRadixSort::SortPairs(storage, bytes, keys, sorted_keys, values, sorted_values, n));
  for (int i = 0; i < n; ++i)
    if (sorted_values[i] != wanted[i] || sorted_keys[i] != keys[wanted[i]])
      return std::printf("FAIL pair %d: %g %d\n", i, sorted_keys[i], sorted_values[i]), 1;

  std::vector<unsigned long long> by_bits(words, words + n);
  std::stable_sort(by_bits.begin(), by_bits.end(),
                   [](auto a, auto b) { return (a >> 20 & 0xffff) > (b >> 20 & 0xffff); });
  WITH_STORAGE(cub::DeviceRadixSort::SortKeysDescending(storage, bytes, words, sorted_words, n, 20, 36));
  for (int i = 0; i < n; ++i)
    if (sorted_words[i] != by_bits[i]) return std::printf("FAIL word %d: %llx\n", i, sorted_words[i]), 1;
  std::puts("PASS");
}
