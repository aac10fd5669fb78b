// wmma: bfloat16, tf32 and 8-bit integers with tiles of 16x16, double with tiles of 8x8, products over several tiles.
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <int m, int k, class Element, class T, class Sum>
__global__ void multiply(const T* a, const T* b, Sum* d, int depth) {
  wmma::fragment<wmma::matrix_a, m, m, k, Element, wmma::row_major> left;
  wmma::fragment<wmma::matrix_b, m, m, k, Element, wmma::col_major> right;
  wmma::fragment<wmma::accumulator, m, m, k, Sum> sum;
  wmma::fill_fragment(sum, Sum(1));
  for (int start = 0; start < depth; start += k) {
    wmma::load_matrix_sync(left, a + start, depth);
    wmma::load_matrix_sync(right, b + start, depth);
    wmma::mma_sync(sum, left, right, sum);
  }
  wmma::store_matrix_sync(d, sum, m, wmma::mem_row_major);
}

template <int m, int k, class Element, class T, class Sum>
bool is_right(const char* name) {
  const int depth = 3 * k;
  static T a[m * depth], b[m * depth];
  static Sum d[m * m];
  for (int i = 0; i < m * depth; ++i) a[i] = T(float(i * 7 % 11) - 5), b[i] = T(float(i * 3 % 13) - 6);
  T* on_device[2];
  Sum* out;
  for (T*& memory : on_device) cudaMalloc(&memory, sizeof a);
  cudaMalloc(&out, sizeof d);
  cudaMemcpy(on_device[0], a, sizeof a, cudaMemcpyHostToDevice);
  cudaMemcpy(on_device[1], b, sizeof b, cudaMemcpyHostToDevice);
  multiply<m, k, Element, T, Sum><<<1, 32>>>(on_device[0], on_device[1], out, depth);
  cudaMemcpy(d, out, sizeof d, cudaMemcpyDeviceToHost);
  for (int i = 0; i < m * m; ++i) {
    double want = 1;
    for (int j = 0; j < depth; ++j) want += double(float(a[i / m * depth + j])) * float(b[i % m * depth + j]);
    if (double(d[i]) != want)
      return std::printf("FAIL %s [%d] got %g, wanted %g\n", name, i, double(d[i]), want), false;
  }
  return true;
}

int main() {
  if (!is_right<16, 16, __nv_bfloat16, __nv_bfloat16, float>("bf16") ||
      !is_right<16, 8, wmma::precision::tf32, float, float>("tf32") ||
      !is_right<16, 16, signed char, signed char, int>("s8") ||
      !is_right<8, 4, double, double, double>("f64"))
    return 1;
  std::puts("PASS");
}
