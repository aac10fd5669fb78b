// The kernels of cuSOLVER's dense factorizations: textbook algorithms (Golub and Van Loan, "Matrix Computations"), one thread for
// a matrix, stored by columns. Eigenvalues and singular values come from Jacobi's rotations, in double.
#pragma once

#include "cuda_runtime.h"

namespace cusolver {

// Element (i, j) of a matrix by columns; transposed where `down` is the distance of columns.
template <class T>
struct View {
  T* data;
  long long down, right;
  __device__ T& operator()(long long i, long long j) const { return data[i * down + j * right]; }
};

template <class T>
__device__ inline View<T> by_columns(T* data, long long ld) {
  return {data, 1, ld};
}

// P A = L U; pivots count rows from 1 and may be missing, then rows keep their places. *info: the first pivot that is 0.
template <class T>
__device__ inline void decompose(int m, int n, T* data, int lda, int* pivots, int* info) {
  const View<T> a = by_columns(data, lda);
  *info = 0;
  for (int k = 0; k < (m < n ? m : n); ++k) {
    int best = k;
    for (int i = k + 1; i < m && pivots != nullptr; ++i)
      if (fabs(a(i, k)) > fabs(a(best, k))) best = i;
    if (pivots != nullptr) pivots[k] = best + 1;
    if (a(best, k) == T(0)) {
      if (*info == 0) *info = k + 1;
      continue;
    }
    for (int j = 0; j < n && best != k; ++j) {
      const T kept = a(k, j);
      a(k, j) = a(best, j);
      a(best, j) = kept;
    }
    for (int i = k + 1; i < m; ++i) a(i, k) /= a(k, k);
    for (int j = k + 1; j < n; ++j) {
      const T factor = a(k, j);
      for (int i = k + 1; i < m; ++i) a(i, j) -= a(i, k) * factor;
    }
  }
}

template <class T>
__global__ void factor_lu(int m, int n, T* data, int lda, int* pivots, int* info) {
  decompose(m, n, data, lda, pivots, info);
}

// x becomes the solution of a triangular system.
template <class T>
__device__ inline void substitute(int n, View<T> a, bool upper, bool unit, T* x) {
  for (int step = 0; step < n; ++step) {
    const int i = upper ? n - 1 - step : step;
    T rest = x[i];
    for (int j = upper ? i + 1 : 0; j < (upper ? n : i); ++j) rest -= a(i, j) * x[j];
    x[i] = unit ? rest : rest / a(i, i);
  }
}

template <class T>
__device__ inline void swap_rows(int n, const int* pivots, bool backward, T* x) {
  for (int step = 0; step < n && pivots != nullptr; ++step) {
    const int i = backward ? n - 1 - step : step, other = pivots[i] - 1;
    const T kept = x[i];
    x[i] = x[other];
    x[other] = kept;
  }
}

// A x = b, or A^T x = b, with the factors of A.
template <class T>
__device__ inline void solve_one(bool transposed, int n, T* data, int lda, const int* pivots, T* x) {
  if (!transposed) {
    swap_rows(n, pivots, false, x);
    substitute(n, by_columns(data, lda), false, true, x);
    substitute(n, by_columns(data, lda), true, false, x);
  } else {
    const View<T> turned{data, lda, 1};
    substitute(n, turned, false, false, x);
    substitute(n, turned, true, true, x);
    swap_rows(n, pivots, true, x);
  }
}

// A thread for each right-hand side.
template <class T>
__global__ void solve_lu(bool transposed, int n, int sides, T* data, int lda, const int* pivots, T* b,
                         int ldb, int* info) {
  const int side = blockIdx.x * blockDim.x + threadIdx.x;
  if (side == 0) *info = 0;
  if (side < sides) solve_one(transposed, n, data, lda, pivots, b + static_cast<long long>(side) * ldb);
}

// A = L L^T, or U^T U: the upper triangle is the lower one of the transposed view. *info: the first minor that is not positive.
template <class T>
__global__ void factor_cholesky(bool upper, int n, T* data, int lda, int* info) {
  const View<T> a = upper ? View<T>{data, lda, 1} : by_columns(data, lda);
  *info = 0;
  for (int j = 0; j < n; ++j) {
    double left = a(j, j);
    for (int k = 0; k < j; ++k) left -= static_cast<double>(a(j, k)) * static_cast<double>(a(j, k));
    if (!(left > 0)) {
      *info = j + 1;
      return;
    }
    a(j, j) = static_cast<T>(sqrt(left));
    for (int i = j + 1; i < n; ++i) {
      double rest = a(i, j);
      for (int k = 0; k < j; ++k) rest -= static_cast<double>(a(i, k)) * static_cast<double>(a(j, k));
      a(i, j) = static_cast<T>(rest / static_cast<double>(a(j, j)));
    }
  }
}
template <class T>
__global__ void solve_cholesky(bool upper, int n, int sides, T* data, int lda, T* b, int ldb, int* info) {
  const int side = blockIdx.x * blockDim.x + threadIdx.x;
  if (side == 0) *info = 0;
  if (side >= sides) return;
  const View<T> lower = upper ? View<T>{data, lda, 1} : by_columns(data, lda);
  T* const x = b + static_cast<long long>(side) * ldb;
  substitute(n, lower, false, false, x);
  substitute(n, View<T>{lower.data, lower.right, lower.down}, true, false, x);
}

// A reflection I - tau v v^T with v[0] = 1 applied to `count` elements that are `step` apart; v[1] follows `v`.
template <class T>
__device__ inline void reflect(const T* v, T tau, long long count, T* x, long long step) {
  double sum = x[0];
  for (long long i = 1; i < count; ++i) sum += static_cast<double>(v[i]) * static_cast<double>(x[i * step]);
  sum *= tau;
  x[0] -= static_cast<T>(sum);
  for (long long i = 1; i < count; ++i) x[i * step] -= static_cast<T>(sum * static_cast<double>(v[i]));
}

// A = Q R by Householder's reflections, kept below the diagonal of R and in `tau`.
template <class T>
__global__ void factor_qr(int m, int n, T* data, int lda, T* tau, int* info) {
  const View<T> a = by_columns(data, lda);
  *info = 0;
  for (int k = 0; k < (m < n ? m : n); ++k) {
    double squares = 0;
    for (int i = k + 1; i < m; ++i) squares += static_cast<double>(a(i, k)) * static_cast<double>(a(i, k));
    const double first = a(k, k);
    tau[k] = 0;
    if (squares == 0) continue;
    const double norm = sqrt(first * first + squares), result = first > 0 ? -norm : norm;
    tau[k] = static_cast<T>((result - first) / result);
    for (int i = k + 1; i < m; ++i) a(i, k) = static_cast<T>(static_cast<double>(a(i, k)) / (first - result));
    a(k, k) = static_cast<T>(result);
    for (int j = k + 1; j < n; ++j) reflect(&a(k, k), tau[k], m - k, &a(k, j), 1);
  }
}

// op(Q) C or C op(Q), Q the product of k reflections: a thread for each column or row of C.
template <class T>
__global__ void multiply_by_q(bool left, bool transposed, int m, int n, int k, const T* a, int lda,
                              const T* tau, T* c, int ldc, int* info) {
  const int line = blockIdx.x * blockDim.x + threadIdx.x;
  if (line == 0) *info = 0;
  if (line >= (left ? n : m)) return;
  const int length = left ? m : n;
  T* const x = left ? c + static_cast<long long>(line) * ldc : c + line;
  const long long step = left ? 1 : ldc;
  for (int turn = 0; turn < k; ++turn) {
    const int i = left == transposed ? turn : k - 1 - turn;
    reflect(a + i + static_cast<long long>(i) * lda, tau[i], length - i, x + i * step, step);
  }
}

// The first n columns of Q in place of the reflections.
template <class T>
__global__ void form_q(int m, int n, int k, T* data, int lda, const T* tau, int* info) {
  const View<T> a = by_columns(data, lda);
  *info = 0;
  for (int j = k; j < n; ++j)
    for (int i = 0; i < m; ++i) a(i, j) = T(i == j);
  for (int i = k - 1; i >= 0; --i) {
    for (int j = i + 1; j < n; ++j) reflect(&a(i, i), tau[i], m - i, &a(i, j), 1);
    for (int row = i + 1; row < m; ++row) a(row, i) = -tau[i] * a(row, i);
    a(i, i) = T(1) - tau[i];
    for (int row = 0; row < i; ++row) a(row, i) = 0;
  }
}

// The rotation that makes the off-diagonal element of [[p, q], [q, r]] zero.
struct Rotation {
  double cosine, sine;
};
__device__ inline Rotation rotation_for(double p, double q, double r) {
  const double ratio = (r - p) / (2 * q);
  const double tangent = (ratio >= 0 ? 1 : -1) / (fabs(ratio) + sqrt(1 + ratio * ratio));
  const double cosine = 1 / sqrt(1 + tangent * tangent);
  return {cosine, tangent * cosine};
}
__device__ inline void rotate(Rotation by, int n, double* x, double* y, long long step) {
  for (int i = 0; i < n; ++i) {
    const double a = x[i * step], b = y[i * step];
    x[i * step] = by.cosine * a - by.sine * b;
    y[i * step] = by.sine * a + by.cosine * b;
  }
}

// Exchanges columns so that the values ascend (or descend).
__device__ inline void sort_columns(int n, double* values, double* columns, int rows, double* more,
                                    int more_rows, bool ascending) {
  for (int i = 0; i < n; ++i) {
    int best = i;
    for (int j = i + 1; j < n; ++j)
      if (ascending ? values[j] < values[best] : values[j] > values[best]) best = j;
    if (best == i) continue;
    const double kept = values[i];
    values[i] = values[best];
    values[best] = kept;
    const Rotation exchange{0, 1};
    rotate(exchange, rows, columns + static_cast<long long>(i) * rows,
           columns + static_cast<long long>(best) * rows, 1);
    if (more != nullptr)
      rotate(exchange, more_rows, more + static_cast<long long>(i) * more_rows,
             more + static_cast<long long>(best) * more_rows, 1);
  }
}

constexpr int kMostSweeps = 60;

// Eigenvalues and vectors of a symmetric matrix. `work` holds 2 n^2 + n numbers: the matrix, the vectors, the values.
template <class T>
__global__ void find_eigenvalues(bool vectors, bool upper, int n, T* data, int lda, T* values, double* work,
                                 int* info) {
  const View<T> given = by_columns(data, lda);
  double *const a = work, *const v = work + static_cast<long long>(n) * n,
                *const diagonal = v + static_cast<long long>(n) * n;
  double size = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      a[i + static_cast<long long>(j) * n] = upper == (i < j) ? given(i, j) : given(j, i);
      v[i + static_cast<long long>(j) * n] = i == j;
      size += a[i + static_cast<long long>(j) * n] * a[i + static_cast<long long>(j) * n];
    }
  *info = n;
  for (int sweep = 0; sweep < kMostSweeps && *info != 0; ++sweep) {
    *info = 0;
    for (int q = 1; q < n; ++q)
      for (int p = 0; p < q; ++p) {
        const double element = a[p + static_cast<long long>(q) * n];
        if (element * element <= 1e-31 * size) continue;
        *info = n;
        const Rotation by =
            rotation_for(a[p + static_cast<long long>(p) * n], element, a[q + static_cast<long long>(q) * n]);
        rotate(by, n, a + static_cast<long long>(p) * n, a + static_cast<long long>(q) * n, 1);
        rotate(by, n, a + p, a + q, n);
        rotate(by, n, v + static_cast<long long>(p) * n, v + static_cast<long long>(q) * n, 1);
      }
  }
  for (int i = 0; i < n; ++i) diagonal[i] = a[i + static_cast<long long>(i) * n];
  sort_columns(n, diagonal, v, n, nullptr, 0, true);
  for (int j = 0; j < n; ++j) {
    values[j] = static_cast<T>(diagonal[j]);
    for (int i = 0; i < n && vectors; ++i) given(i, j) = static_cast<T>(v[i + static_cast<long long>(j) * n]);
  }
}

// Makes column `j` of u a unit vector at right angles to those before, where it is 0.
__device__ inline void complete(double* u, int m, int j) {
  double* const column = u + static_cast<long long>(j) * m;
  for (int unit = 0; unit < m; ++unit) {
    for (int i = 0; i < m; ++i) column[i] = i == unit;
    for (int turn = 0; turn < 2; ++turn)
      for (int k = 0; k < j; ++k) {
        double dot = 0;
        for (int i = 0; i < m; ++i) dot += column[i] * u[i + static_cast<long long>(k) * m];
        for (int i = 0; i < m; ++i) column[i] -= dot * u[i + static_cast<long long>(k) * m];
      }
    double squares = 0;
    for (int i = 0; i < m; ++i) squares += column[i] * column[i];
    // One of m unit vectors is at least this far from the span of fewer.
    if (squares < 0.5 / m) continue;
    for (int i = 0; i < m; ++i) column[i] /= sqrt(squares);
    return;
  }
}

// A = U S V^T, m >= n, by rotations that make the columns of A V orthogonal (Hestenes). `work`: m^2 + n^2 + n numbers.
template <class T>
__global__ void find_singular_values(int m, int n, const T* a, int lda, T* s, T* u_out, int ldu, int columns,
                                     T* vt_out, int ldvt, int rows, double* work, int* info) {
  double *const u = work, *const v = work + static_cast<long long>(m) * m,
                *const values = v + static_cast<long long>(n) * n;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) u[i + static_cast<long long>(j) * m] = a[i + static_cast<long long>(j) * lda];
    for (int i = 0; i < n; ++i) v[i + static_cast<long long>(j) * n] = i == j;
  }
  *info = n;
  for (int sweep = 0; sweep < kMostSweeps && *info != 0; ++sweep) {
    *info = 0;
    for (int q = 1; q < n; ++q)
      for (int p = 0; p < q; ++p) {
        double *const x = u + static_cast<long long>(p) * m, *const y = u + static_cast<long long>(q) * m;
        double xx = 0, xy = 0, yy = 0;
        for (int i = 0; i < m; ++i) xx += x[i] * x[i], xy += x[i] * y[i], yy += y[i] * y[i];
        if (xy * xy <= 1e-27 * xx * yy) continue;
        *info = n;
        const Rotation by = rotation_for(xx, xy, yy);
        rotate(by, m, x, y, 1);
        rotate(by, n, v + static_cast<long long>(p) * n, v + static_cast<long long>(q) * n, 1);
      }
  }
  double largest = 0;
  for (int j = 0; j < n; ++j) {
    double squares = 0;
    for (int i = 0; i < m; ++i)
      squares += u[i + static_cast<long long>(j) * m] * u[i + static_cast<long long>(j) * m];
    values[j] = sqrt(squares);
    largest = values[j] > largest ? values[j] : largest;
  }
  sort_columns(n, values, u, m, v, n, false);
  for (int j = 0; j < columns; ++j) {
    if (j >= n || values[j] <= 1e-15 * largest || values[j] == 0)
      complete(u, m, j);
    else
      for (int i = 0; i < m; ++i) u[i + static_cast<long long>(j) * m] /= values[j];
    for (int i = 0; i < m; ++i)
      u_out[i + static_cast<long long>(j) * ldu] = static_cast<T>(u[i + static_cast<long long>(j) * m]);
  }
  for (int j = 0; j < n; ++j) {
    s[j] = static_cast<T>(values[j]);
    for (int i = 0; i < n && j < rows; ++i)
      vt_out[j + static_cast<long long>(i) * ldvt] = static_cast<T>(v[i + static_cast<long long>(j) * n]);
  }
}

}  // namespace cusolver
