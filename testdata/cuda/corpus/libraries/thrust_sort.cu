// Thrust's sorts: by radix, by merging with a comparison, stable by key, of floats, in descending order.
// needs: CCCL
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

struct ByLastDigit {
  __host__ __device__ bool operator()(int a, int b) const { return a % 10 < b % 10; }
};

int main() {
  std::vector<int> values(4000);
  for (int i = 0; i < 4000; ++i) values[i] = static_cast<int>(i * 2654435761u % 1000) - 500 + i % 3;

  thrust::device_vector<int> device(values.begin(), values.end());
  std::vector<int> wanted = values, got(4000);
  std::sort(wanted.begin(), wanted.end(), std::greater<int>());
  thrust::sort(device.begin(), device.end(), thrust::greater<int>());
  thrust::copy(device.begin(), device.end(), got.begin());
  if (got != wanted) return std::puts("FAIL sort"), 1;

  for (int& value : values) value += 600;
  std::vector<int> places(4000);
  std::iota(places.begin(), places.end(), 0);
  std::stable_sort(places.begin(), places.end(),
                   [&](int a, int b) { return ByLastDigit()(values[a], values[b]); });
  thrust::device_vector<int> keys(values.begin(), values.end()), numbers(4000);
  thrust::sequence(numbers.begin(), numbers.end());
  thrust::stable_sort_by_key(keys.begin(), keys.end(), numbers.begin(), ByLastDigit());
  thrust::copy(numbers.begin(), numbers.end(), got.begin());
  if (got != places) return std::puts("FAIL stable_sort_by_key"), 1;

  std::vector<float> reals(values.begin(), values.end()), got_reals(4000);
  for (int i = 0; i < 4000; ++i) reals[i] = (i % 2 ? -reals[i] : reals[i]) * 0.25f;
  thrust::device_vector<float> real_keys(reals.begin(), reals.end());
  thrust::sort(real_keys.begin(), real_keys.end());
  std::sort(reals.begin(), reals.end());
  thrust::copy(real_keys.begin(), real_keys.end(), got_reals.begin());
  if (got_reals != reals) return std::puts("FAIL sort of floats"), 1;
  std::puts("PASS");
}
