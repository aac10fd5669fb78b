// Thrust's scans, and its iterators: counting, transform, permutation, zip, constant; reductions and scans by key.
// needs: CCCL
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/permutation_iterator.h>
#include <thrust/iterator/transform_iterator.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/transform.h>
#include <thrust/tuple.h>

#include <cstdio>
#include <vector>

struct Square {
  __host__ __device__ int operator()(int x) const { return x * x % 1000; }
};
struct Difference {
  __host__ __device__ int operator()(const thrust::tuple<int, int>& pair) const {
    return thrust::get<0>(pair) - thrust::get<1>(pair);
  }
};

int main() {
  const int n = 6000;
  const auto squares = thrust::make_transform_iterator(thrust::counting_iterator<int>(0), Square());
  thrust::device_vector<int> inclusive(n), exclusive(n), difference(n);
  thrust::inclusive_scan(squares, squares + n, inclusive.begin());
  thrust::exclusive_scan(squares, squares + n, exclusive.begin(), 5);
  const auto pairs = thrust::make_zip_iterator(thrust::make_tuple(inclusive.begin(), exclusive.begin()));
  thrust::transform(pairs, pairs + n, difference.begin(), Difference());
  std::vector<int> got(n);
  thrust::copy(difference.begin(), difference.end(), got.begin());
  for (int i = 0; i < n; ++i)
    if (got[i] != i * i % 1000 - 5) return std::printf("FAIL [%d] %d\n", i, got[i]), 1;

  std::vector<int> order(n);
  for (int i = 0; i < n; ++i) order[i] = i * 7 % n;
  thrust::device_vector<int> places(order.begin(), order.end());
  const auto permuted = thrust::make_permutation_iterator(difference.begin(), places.begin());
  thrust::copy(permuted, permuted + n, exclusive.begin());
  thrust::copy(exclusive.begin(), exclusive.end(), got.begin());
  for (int i = 0; i < n; ++i)
    if (got[i] != order[i] * order[i] % 1000 - 5) return std::printf("FAIL permuted [%d] %d\n", i, got[i]), 1;

  std::vector<int> groups(n);
  for (int i = 0; i < n; ++i) groups[i] = i / 37;
  thrust::device_vector<int> keys(groups.begin(), groups.end()), found(n), counts(n);
  const auto ends = thrust::reduce_by_key(keys.begin(), keys.end(), thrust::constant_iterator<int>(1),
                                          found.begin(), counts.begin());
  const int number = ends.first - found.begin(), rest = counts[number - 1], first = counts[0];
  if (number != (n + 36) / 37 || first != 37 || rest != n - 37 * (number - 1))
    return std::printf("FAIL groups %d %d %d\n", number, first, rest), 1;
  std::puts("PASS");
}
