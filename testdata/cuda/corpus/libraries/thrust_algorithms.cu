// Thrust's vectors and algorithms: transform, reduce, inner_product, copy_if, unique, minmax_element.
// needs: CCCL
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <vector>

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};
struct Third {
  __host__ __device__ int operator()(int x) const { return x / 3; }
};

int main() {
  std::vector<int> values(5000);
  for (int i = 0; i < 5000; ++i) values[i] = i / 7 * 11 % 97;
  thrust::device_vector<int> device(values.begin(), values.end()), result(5000);

  thrust::transform(device.begin(), device.end(), result.begin(), Third());
  const long long sum = thrust::reduce(result.begin(), result.end(), 0LL, thrust::plus<long long>());
  const int dot = thrust::inner_product(device.begin(), device.end(), result.begin(), 0);
  long long wanted_sum = 0;
  int wanted_dot = 0;
  for (int x : values) wanted_sum += x / 3, wanted_dot += x * (x / 3);
  if (sum != wanted_sum || dot != wanted_dot) return std::printf("FAIL %lld %d\n", sum, dot), 1;

  std::vector<int> odd, got(5000);
  std::copy_if(values.begin(), values.end(), std::back_inserter(odd), IsOdd());
  const auto end = thrust::copy_if(device.begin(), device.end(), result.begin(), IsOdd());
  got.resize(end - result.begin());
  thrust::copy(result.begin(), end, got.begin());
  if (got != odd) return std::printf("FAIL copy_if kept %d\n", static_cast<int>(got.size())), 1;

  const auto range = thrust::minmax_element(device.begin(), device.end());
  if (*range.first != *std::min_element(values.begin(), values.end()) ||
      *range.second != *std::max_element(values.begin(), values.end()))
    return std::puts("FAIL minmax_element"), 1;

  const auto last = thrust::unique(device.begin(), device.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  got.resize(last - device.begin());
  thrust::copy(device.begin(), last, got.begin());
  if (got != values) return std::printf("FAIL unique kept %d\n", static_cast<int>(got.size())), 1;
  std::puts("PASS");
}
