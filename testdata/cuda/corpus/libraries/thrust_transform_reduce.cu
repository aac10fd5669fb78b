// Thrust's vectors and algorithms: transform, reduce, inner_product, minmax_element.
// needs: CCCL
#include <thrust/device_vector.h>
#include <thrust/extrema.h>
#include <thrust/functional.h>
#include <thrust/inner_product.h>
#include <thrust/reduce.h>
#include <thrust/transform.h>

#include <algorithm>
#include <cstdio>
#include <vector>

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

  const auto range = thrust::minmax_element(device.begin(), device.end());
  if (*range.first != *std::min_element(values.begin(), values.end()) ||
      *range.second != *std::max_element(values.begin(), values.end()))
    return std::puts("FAIL minmax_element"), 1;
  std::puts("PASS");
}
