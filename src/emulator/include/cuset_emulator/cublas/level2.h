// cuBLAS, level 2: a matrix and vectors.
#pragma once

#include "cuset_emulator/cublas/types.h"

namespace cublas {

constexpr int kRowBlock = 128;

// y = alpha op(A) x + beta y, a thread for each element of y. Element (i, j) of op(A) is at i * down + j * right.
template <class T>
__global__ void gemv(int rows, int columns, Scalar<T> alpha, const T* a, long long down, long long right,
                     bool conjugated, const T* x, int x_step, Scalar<T> beta, T* y, int y_step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  T sum = 0;
  for (int j = 0; j < columns; ++j)
    sum += element(a[i * down + j * right], conjugated) * x[place(j, columns, x_step)];
  T& to = y[place(i, rows, y_step)];
  const T scale = beta.get();
  to = alpha.get() * sum + (scale == T(0) ? T(0) : scale * to);
}

// A += alpha x y^T, with y conjugated if wanted.
template <class T>
__global__ void ger(int rows, int columns, Scalar<T> alpha, const T* x, int x_step, const T* y, int y_step,
                    T* a, int lda, bool conjugated) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i < rows)
    a[i + static_cast<long long>(j) * lda] +=
        alpha.get() * x[place(i, rows, x_step)] * element(y[place(j, columns, y_step)], conjugated);
}

template <class T>
inline cublasStatus_t multiply_vector(cublasHandle_t handle, cublasOperation_t trans, int m, int n,
                                      const T* alpha, const T* a, int lda, const T* x, int incx,
                                      const T* beta, T* y, int incy) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  const bool plain = trans == CUBLAS_OP_N;
  const int rows = plain ? m : n, columns = plain ? n : m;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  gemv<<<blocks_for(rows, kRowBlock), kRowBlock, 0, handle->stream>>>(
      rows, columns, scalar(handle, alpha), a, plain ? 1LL : lda, plain ? static_cast<long long>(lda) : 1LL,
      trans == CUBLAS_OP_C, x, incx, scalar(handle, beta), y, incy);
  return status_of(cudaPeekAtLastError());
}

template <class T>
inline cublasStatus_t add_outer_product(cublasHandle_t handle, int m, int n, const T* alpha, const T* x,
                                        int incx, const T* y, int incy, T* a, int lda,
                                        bool conjugated = false) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || incx == 0 || incy == 0) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  if (n > 65535) return CUBLAS_STATUS_NOT_SUPPORTED;
  ger<<<dim3(blocks_for(m, kRowBlock), n), kRowBlock, 0, handle->stream>>>(m, n, scalar(handle, alpha), x,
                                                                           incx, y, incy, a, lda, conjugated);
  return status_of(cudaPeekAtLastError());
}

}  // namespace cublas

#define CUSET_CUBLAS_LEVEL2(letter, type)                                                                  \
  template <int = 0>                                                                                       \
  inline cublasStatus_t cublas##letter##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, \
                                             const type* alpha, const type* a, int lda, const type* x,     \
                                             int incx, const type* beta, type* y, int incy) {              \
    return cublas::multiply_vector(handle, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);            \
  }                                                                                                        \
  template <int = 0>                                                                                       \
  inline cublasStatus_t cublas##letter##ger(cublasHandle_t handle, int m, int n, const type* alpha,        \
                                            const type* x, int incx, const type* y, int incy, type* a,     \
                                            int lda) {                                                     \
    return cublas::add_outer_product(handle, m, n, alpha, x, incx, y, incy, a, lda);                       \
  }

CUSET_CUBLAS_LEVEL2(S, float)
CUSET_CUBLAS_LEVEL2(D, double)

#undef CUSET_CUBLAS_LEVEL2
