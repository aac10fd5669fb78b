// wmma: products of half with sums in float and in half, of all three shapes and both orders of elements.
#include <cuda_runtime.h>
#include <mma.h>

#include <cstdio>

using namespace nvcuda;

template <int m, int n, int k, class A, class B, class T>
__global__ void multiply(const __half* a, const __half* b, const T* c, T* d) {
  wmma::fragment<wmma::matrix_a, m, n, k, __half, A> left;
  wmma::fragment<wmma::matrix_b, m, n, k, __half, B> right;
  wmma::fragment<wmma::accumulator, m, n, k, T> sum, twice;
  static_assert(left.num_elements == 16 && right.num_elements == 16 && sum.num_elements == 8, "CUDA's sizes");
  wmma::load_matrix_sync(left, a, 32);
  wmma::load_matrix_sync(right, b, 32);
  wmma::load_matrix_sync(sum, c, 40, wmma::mem_row_major);
  wmma::fill_fragment(twice, T(0.0f));
  for (int step = 0; step < 2; ++step) wmma::mma_sync(twice, left, right, twice);
  for (int i = 0; i < sum.num_elements; ++i) sum.x[i] = sum.x[i] + twice.x[i];
  wmma::store_matrix_sync(d, sum, 40, wmma::mem_col_major);
}

struct Row {
  typedef wmma::row_major Layout;
  static int at(int row, int column) { return row * 32 + column; }
};
struct Column {
  typedef wmma::col_major Layout;
  static int at(int row, int column) { return column * 32 + row; }
};

template <int m, int n, class A, class B, class T>
bool is_right() {
  static __half a[1024], b[1024];
  static T c[1280], d[1280];
  for (int i = 0; i < 1024; ++i) a[i] = float(i * 7 % 5) - 2, b[i] = float(i * 11 % 7) - 3;
  for (int i = 0; i < 1280; ++i) c[i] = float(i % 13), d[i] = -1000.0f;
  void* memory[4];
  const void* host[4] = {a, b, c, d};
  const size_t bytes[4] = {sizeof a, sizeof b, sizeof c, sizeof d};
  for (int i = 0; i < 4; ++i) cudaMalloc(&memory[i], bytes[i]);
  for (int i = 0; i < 4; ++i) cudaMemcpy(memory[i], host[i], bytes[i], cudaMemcpyHostToDevice);
  multiply<m, n, 16, typename A::Layout, typename B::Layout>
      <<<1, 32>>>(static_cast<__half*>(memory[0]), static_cast<__half*>(memory[1]),
                  static_cast<T*>(memory[2]), static_cast<T*>(memory[3]));
  cudaMemcpy(d, memory[3], sizeof d, cudaMemcpyDeviceToHost);
  for (int row = 0; row < m; ++row) {
    for (int column = 0; column < n; ++column) {
      float want = float(c[row * 40 + column]);
      for (int k = 0; k < 16; ++k) want += 2 * float(a[A::at(row, k)]) * float(b[B::at(k, column)]);
      const float got = float(d[column * 40 + row]);
      if (got != want)
        return std::printf("FAIL %dx%d [%d,%d] got %g, wanted %g\n", m, n, row, column, got, want), false;
    }
  }
  return true;
}

int main() {
  if (!is_right<16, 16, Row, Column, float>() || !is_right<16, 16, Column, Row, __half>() ||
      !is_right<32, 8, Row, Row, float>() || !is_right<32, 8, Column, Column, __half>() ||
      !is_right<8, 32, Row, Row, __half>() || !is_right<8, 32, Column, Column, float>())
    return 1;
  std::puts("PASS");
}
