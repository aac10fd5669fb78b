// cuBLAS of complex numbers: vectors, products with vectors and of matrices. cuComplex and cuDoubleComplex are pairs without
// operators; the kernels of levels 1 to 3 see the same bytes as numbers with them.
#pragma once

#include "cuComplex.h"
#include "cuset_emulator/cublas/level1.h"
#include "cuset_emulator/cublas/level2.h"
#include "cuset_emulator/cublas/level3.h"

namespace cublas {

template <class Real>
struct Complex {
  Real x, y;
  Complex() = default;
  __host__ __device__ Complex(Real real, Real imaginary = 0) : x(real), y(imaginary) {}
  __host__ __device__ Complex operator+(Complex other) const { return {x + other.x, y + other.y}; }
  __host__ __device__ Complex operator*(Complex other) const {
    return {x * other.x - y * other.y, x * other.y + y * other.x};
  }
  __host__ __device__ Complex& operator+=(Complex other) { return *this = *this + other; }
  __host__ __device__ Complex& operator*=(Complex other) { return *this = *this * other; }
  __host__ __device__ bool operator==(Complex other) const { return x == other.x && y == other.y; }
};

template <class Real>
__device__ inline Complex<Real> element(Complex<Real> value, bool conjugated) {
  return {value.x, conjugated ? -value.y : value.y};
}

inline const Complex<float>* numbers(const cuComplex* x) {
  return reinterpret_cast<const Complex<float>*>(x);
}
inline Complex<float>* numbers(cuComplex* x) { return reinterpret_cast<Complex<float>*>(x); }
inline const Complex<double>* numbers(const cuDoubleComplex* x) {
  return reinterpret_cast<const Complex<double>*>(x);
}
inline Complex<double>* numbers(cuDoubleComplex* x) { return reinterpret_cast<Complex<double>*>(x); }
template <class Pair>
inline auto numbers(const Pair* const* batch) {
  return reinterpret_cast<decltype(numbers(*batch)) const*>(batch);
}
template <class Pair>
inline auto numbers(Pair* const* batch) {
  return reinterpret_cast<decltype(numbers(*batch)) const*>(batch);
}

template <class Real>
__global__ void scale_pairs(int n, Scalar<Real> alpha, Complex<Real>* x, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[static_cast<long long>(i) * step] *= Complex<Real>(alpha.get());
}

// One block; sums are kept in double.
template <class Real>
__global__ void complex_dot(bool conjugated, int n, const Complex<Real>* x, int x_step,
                            const Complex<Real>* y, int y_step, Complex<Real>* result) {
  __shared__ double parts[2][kVectorBlock];
  Complex<double> part = 0;
  for (int i = threadIdx.x; i < n; i += kVectorBlock) {
    const Complex<Real> a = element(x[place(i, n, x_step)], conjugated), b = y[place(i, n, y_step)];
    part += Complex<double>(a.x, a.y) * Complex<double>(b.x, b.y);
  }
  parts[0][threadIdx.x] = part.x;
  parts[1][threadIdx.x] = part.y;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < kVectorBlock; ++i) part += Complex<double>(parts[0][i], parts[1][i]);
  *result = {static_cast<Real>(part.x), static_cast<Real>(part.y)};
}

// The norm, or the sum of the magnitudes of real and imaginary parts.
template <class Real>
__global__ void complex_sum(Sum kind, int n, const Complex<Real>* x, int step, Real* result) {
  __shared__ double parts[kVectorBlock];
  double part = 0;
  for (int i = threadIdx.x; i < n; i += kVectorBlock) {
    const Complex<Real> a = x[static_cast<long long>(i) * step];
    const double real = a.x, imaginary = a.y;
    part += kind == Sum::kNorm ? real * real + imaginary * imaginary : fabs(real) + fabs(imaginary);
  }
  parts[threadIdx.x] = part;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < kVectorBlock; ++i) part += parts[i];
  *result = static_cast<Real>(kind == Sum::kNorm ? sqrt(part) : part);
}

template <class Real>
inline cublasStatus_t take_dot(cublasHandle_t handle, bool conjugated, int n, const Complex<Real>* x,
                               int x_step, const Complex<Real>* y, int y_step, Complex<Real>* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return with_result(handle, result, [&](Complex<Real>* to) {
    complex_dot<Real><<<1, kVectorBlock, 0, handle->stream>>>(conjugated, n, x, x_step, y, y_step, to);
  });
}

template <class Real>
inline cublasStatus_t take_complex_sum(cublasHandle_t handle, Sum kind, int n, const Complex<Real>* x,
                                       int step, Real* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return with_result(handle, result, [&](Real* to) {
    complex_sum<Real><<<1, kVectorBlock, 0, handle->stream>>>(kind, step <= 0 ? 0 : n, x, step, to);
  });
}

}  // namespace cublas

// Calls that take or give real numbers have two letters: cublasScnrm2, cublasCsscal.
#define CUSET_CUBLAS_COMPLEX(letter, small, pair, real_letter, small_real, real)                             \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const pair* alpha, const pair* x, \
                                             int incx, pair* y, int incy) {                                  \
    using cublas::numbers;                                                                                   \
    CUSET_CUBLAS_LAUNCH(axpy, n, cublas::scalar(handle, numbers(alpha)), numbers(x), incx, numbers(y), incy) \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const pair* alpha, pair* x,       \
                                             int incx) {                                                     \
    if (incx <= 0) n = 0;                                                                                    \
    CUSET_CUBLAS_LAUNCH(scal, n, cublas::scalar(handle, cublas::numbers(alpha)), cublas::numbers(x), incx)   \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##small_real##scal(cublasHandle_t handle, int n, const real* alpha,    \
                                                         pair* x, int incx) {                                \
    if (incx <= 0) n = 0;                                                                                    \
    CUSET_CUBLAS_LAUNCH(scale_pairs, n, cublas::scalar(handle, alpha), cublas::numbers(x), incx)             \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##dotu(cublasHandle_t handle, int n, const pair* x, int incx,          \
                                             const pair* y, int incy, pair* result) {                        \
    using cublas::numbers;                                                                                   \
    return cublas::take_dot(handle, false, n, numbers(x), incx, numbers(y), incy, numbers(result));          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##dotc(cublasHandle_t handle, int n, const pair* x, int incx,          \
                                             const pair* y, int incy, pair* result) {                        \
    using cublas::numbers;                                                                                   \
    return cublas::take_dot(handle, true, n, numbers(x), incx, numbers(y), incy, numbers(result));           \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##real_letter##small##nrm2(cublasHandle_t handle, int n, const pair* x,        \
                                                         int incx, real* result) {                           \
    return cublas::take_complex_sum(handle, cublas::Sum::kNorm, n, cublas::numbers(x), incx, result);        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##real_letter##small##asum(cublasHandle_t handle, int n, const pair* x,        \
                                                         int incx, real* result) {                           \
    return cublas::take_complex_sum(handle, cublas::Sum::kAbsolute, n, cublas::numbers(x), incx, result);    \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                             const pair* alpha, const pair* a, int lda, const pair* x,       \
                                             int incx, const pair* beta, pair* y, int incy) {                \
    using cublas::numbers;                                                                                   \
    return cublas::multiply_vector(handle, trans, m, n, numbers(alpha), numbers(a), lda, numbers(x), incx,   \
                                   numbers(beta), numbers(y), incy);                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##geru(cublasHandle_t handle, int m, int n, const pair* alpha,         \
                                             const pair* x, int incx, const pair* y, int incy, pair* a,      \
                                             int lda) {                                                      \
    using cublas::numbers;                                                                                   \
    return cublas::add_outer_product(handle, m, n, numbers(alpha), numbers(x), incx, numbers(y), incy,       \
                                     numbers(a), lda);                                                       \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##gerc(cublasHandle_t handle, int m, int n, const pair* alpha,         \
                                             const pair* x, int incx, const pair* y, int incy, pair* a,      \
                                             int lda) {                                                      \
    using cublas::numbers;                                                                                   \
    return cublas::add_outer_product(handle, m, n, numbers(alpha), numbers(x), incx, numbers(y), incy,       \
                                     numbers(a), lda, true);                                                 \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##gemmStridedBatched(                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const pair* alpha, const pair* a, int lda, long long stride_a, const pair* b, int ldb,                 \
      long long stride_b, const pair* beta, pair* c, int ldc, long long stride_c, int products) {            \
    using cublas::numbers;                                                                                   \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    const auto none = numbers(static_cast<const pair* const*>(nullptr));                                     \
    return cublas::multiply(                                                                                 \
        handle, {transa, transb, m, n, k, lda, ldb, ldc, products}, cublas::scalar(handle, numbers(alpha)),  \
        cublas::matrix(transa, numbers(a), none, lda, stride_a),                                             \
        cublas::matrix(transb, numbers(b), none, ldb, stride_b), cublas::scalar(handle, numbers(beta)),      \
        cublas::Result<cublas::Complex<real>>{numbers(c), nullptr, ldc, stride_c});                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##gemmBatched(                                                         \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
      const pair* alpha, const pair* const a[], int lda, const pair* const b[], int ldb, const pair* beta,   \
      pair* const c[], int ldc, int products) {                                                              \
    using cublas::numbers;                                                                                   \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    const auto none = numbers(static_cast<const pair*>(nullptr));                                            \
    return cublas::multiply(                                                                                 \
        handle, {transa, transb, m, n, k, lda, ldb, ldc, products}, cublas::scalar(handle, numbers(alpha)),  \
        cublas::matrix(transa, none, numbers(a), lda, 0), cublas::matrix(transb, none, numbers(b), ldb, 0),  \
        cublas::scalar(handle, numbers(beta)),                                                               \
        cublas::Result<cublas::Complex<real>>{nullptr, numbers(c), ldc, 0});                                 \
  }

CUSET_CUBLAS_MOVES(C, cuComplex)
CUSET_CUBLAS_MOVES(Z, cuDoubleComplex)
CUSET_CUBLAS_COMPLEX(C, c, cuComplex, S, s, float)
CUSET_CUBLAS_COMPLEX(Z, z, cuDoubleComplex, D, d, double)
CUSET_CUBLAS_GEMM(C, cuComplex)
CUSET_CUBLAS_GEMM(Z, cuDoubleComplex)

#undef CUSET_CUBLAS_COMPLEX
#undef CUSET_CUBLAS_MOVES
#undef CUSET_CUBLAS_LAUNCH
#undef CUSET_CUBLAS_GEMM
