// Thrust's selections: copy_if and unique keep the order.
// needs: CCCL
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <vector>

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

int main() {
  std::vector<int> values(5000);
  for (int i = 0; i < 5000; ++i) values[i] = i / 7 * 11 % 97;
  thrust::device_vector<int> device(values.begin(), values.end()), result(5000);

  std::vector<int> odd, got(5000);
  std::copy_if(values.begin(), values.end(), std::back_inserter(odd), IsOdd());
  const auto end = thrust::copy_if(device.begin(), device.end(), result.begin(), IsOdd());
  got.resize(end - result.begin());
  thrust::copy(result.begin(), end, got.begin());
  if (got != odd) return std::printf("FAIL copy_if kept %d\n", static_cast<int>(got.size())), 1;

  const auto last = thrust::unique(device.begin(), device.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  got.resize(last - device.begin());
  thrust::copy(device.begin(), last, got.begin());
  if (got != values) return std::printf("FAIL unique kept %d\n", static_cast<int>(got.size())), 1;
  std::puts("PASS");
}
