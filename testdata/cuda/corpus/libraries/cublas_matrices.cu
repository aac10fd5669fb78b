// cuBLAS: copies of vectors and matrices, geam, trsm on both sides, syrk, batches of LU factorizations.
// needs: cuBLAS
#include <cublas_v2.h>

#include <cmath>
#include <cstdio>
#include <vector>

#define CHECK(call) \
  if (cublasStatus_t status = call) return std::printf("FAIL %s: %d\n", #call, static_cast<int>(status)), 1

constexpr int n = 7, m = 5, ld = 9;

float* managed(int count) {
  float* memory;
  cudaMallocManaged(&memory, count * sizeof(float));
  for (int i = 0; i < count; ++i) memory[i] = static_cast<float>(i * 3 % 7 - 3);
  return memory;
}

int copies() {
  std::vector<float> from(ld * n), back(ld * n, -1);
  for (int i = 0; i < ld * n; ++i) from[i] = static_cast<float>(i);
  float* there;
  cudaMalloc(&there, ld * n * sizeof(float));
  CHECK(cublasSetMatrix(m, n, sizeof(float), from.data(), ld, there, m));
  CHECK(cublasGetMatrix(m, n, sizeof(float), there, m, back.data(), ld));
  for (int i = 0; i < ld * n; ++i)
    if (back[i] != (i % ld < m ? static_cast<float>(i) : -1)) return std::printf("FAIL matrix [%d]\n", i), 1;
  CHECK(cublasSetVector(n, sizeof(float), from.data(), 2, there, 3));
  CHECK(cublasGetVector(n, sizeof(float), there, 3, back.data(), 1));
  for (int i = 0; i < n; ++i)
    if (back[i] != static_cast<float>(2 * i)) return std::printf("FAIL vector [%d]\n", i), 1;
  return 0;
}

// op(A) X = 2 B or X op(A) = 2 B, where A is triangular with a large diagonal.
int triangle(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t op,
             cublasDiagType_t diagonal) {
  const int size = side == CUBLAS_SIDE_LEFT ? m : n;
  float *a = managed(ld * ld), *x = managed(ld * n);
  for (int i = 0; i < size; ++i) a[i + i * ld] = 8;
  for (int i = 0; i < ld * ld; ++i) a[i] *= 0.25f;
  const std::vector<float> b(x, x + ld * n);
  const float two = 2;
  CHECK(cublasStrsm(handle, side, fill, op, diagonal, m, n, &two, a, ld, x, ld));
  cudaDeviceSynchronize();
  const auto of_a = [&](int i, int j) {
    if (op != CUBLAS_OP_N) std::swap(i, j);
    if (i == j) return diagonal == CUBLAS_DIAG_UNIT ? 1.0 : static_cast<double>(a[i + i * ld]);
    return (fill == CUBLAS_FILL_MODE_UPPER) == (i < j) ? static_cast<double>(a[i + j * ld]) : 0.0;
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double sum = 0;
      for (int p = 0; p < size; ++p)
        sum += side == CUBLAS_SIDE_LEFT ? of_a(i, p) * static_cast<double>(x[p + j * ld])
                                        : static_cast<double>(x[i + p * ld]) * of_a(p, j);
      if (!(std::fabs(sum - 2 * b[i + j * ld]) < 1e-3))
        return std::printf("FAIL trsm %d %d %d %d at %d, %d: %g\n", side, fill, op, diagonal, i, j, sum), 1;
    }
  return 0;
}

// Inverses of two matrices with small whole elements and a large diagonal, and a system with the second one.
int batches(cublasHandle_t handle) {
  float *a = managed(2 * n * n), *c = managed(2 * n * n), *x = managed(2 * n), **as, **cs, **xs;
  int *pivots, *info, wrong = -1;
  cudaMallocManaged(&as, 2 * sizeof(float*));
  cudaMallocManaged(&cs, 2 * sizeof(float*));
  cudaMallocManaged(&xs, 2 * sizeof(float*));
  cudaMallocManaged(&pivots, 2 * n * sizeof(int));
  cudaMallocManaged(&info, 2 * sizeof(int));
  for (int p = 0; p < 2; ++p) {
    as[p] = a + p * n * n, cs[p] = c + p * n * n, xs[p] = x + p * n;
    for (int i = 0; i < n; ++i) as[p][(i + 1) % n + i * n] += static_cast<float>(20 + p);
  }
  const std::vector<float> given(a, a + 2 * n * n), right(x, x + 2 * n);
  CHECK(cublasSgetrfBatched(handle, n, as, n, pivots, info, 2));
  CHECK(cublasSgetriBatched(handle, n, as, n, pivots, cs, n, info, 2));
  CHECK(cublasSgetrsBatched(handle, CUBLAS_OP_N, n, 1, as, n, pivots, xs, n, &wrong, 2));
  cudaDeviceSynchronize();
  if (wrong != 0 || info[0] != 0 || info[1] != 0) return std::puts("FAIL batched: info"), 1;
  for (int p = 0; p < 2; ++p)
    for (int i = 0; i < n; ++i) {
      double system = 0;
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k)
          sum += static_cast<double>(given[p * n * n + i + k * n]) * static_cast<double>(cs[p][k + j * n]);
        if (std::fabs(sum - (i == j)) > 1e-5)
          return std::printf("FAIL inverse %d at %d, %d: %g\n", p, i, j, sum), 1;
        system += static_cast<double>(given[p * n * n + i + j * n]) * static_cast<double>(xs[p][j]);
      }
      if (std::fabs(system - right[p * n + i]) > 1e-4)
        return std::printf("FAIL system %d, row %d\n", p, i), 1;
    }
  return 0;
}

int main() {
  cublasHandle_t handle;
  CHECK(cublasCreate(&handle));
  if (copies() || batches(handle)) return 1;
  for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT})
    for (cublasFillMode_t fill : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER})
      for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T})
        for (cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT})
          if (triangle(handle, side, fill, op, diagonal)) return 1;
  float *a = managed(ld * ld), *b = managed(ld * ld), *c = managed(ld * ld);
  const std::vector<float> old(c, c + ld * ld);
  const float two = 2, three = 3;
  CHECK(cublasSsyrk(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, n, m, &two, a, ld, &three, c, ld));
  cudaDeviceSynchronize();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      float wanted = 3 * old[i + j * ld];
      for (int p = 0; p < m; ++p) wanted += 2 * a[i + p * ld] * a[j + p * ld];
      if (c[i + j * ld] != (i >= j ? wanted : old[i + j * ld]))
        return std::printf("FAIL syrk %d, %d\n", i, j), 1;
    }
  CHECK(cublasSgeam(handle, CUBLAS_OP_T, CUBLAS_OP_N, m, n, &two, a, ld, &three, b, ld, c, ld));
  cudaDeviceSynchronize();
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i)
      if (c[i + j * ld] != 2 * a[j + i * ld] + 3 * b[i + j * ld])
        return std::printf("FAIL geam %d, %d\n", i, j), 1;
  CHECK(cublasDestroy(handle));
  std::puts("PASS");
}
