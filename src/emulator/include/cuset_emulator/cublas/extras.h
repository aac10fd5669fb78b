// cuBLAS: copies of vectors and matrices between host and device, operations of whole matrices: geam,
// trsm, syrk; dot products of any type.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuset_emulator/cublas/level1.h"
#include "cuset_emulator/cublas/types.h"

namespace cublas {

// `rows` x `columns` elements between matrices stored by columns.
inline cublasStatus_t copy_matrix(int rows, int columns, int bytes, const void* from, int from_ld, void* to,
                                  int to_ld, cudaMemcpyKind kind, cudaStream_t stream, bool wait) {
  if (rows < 0 || columns < 0 || bytes <= 0 || from_ld < rows || to_ld < rows)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  const size_t size = static_cast<size_t>(bytes);
  cudaError_t error =
      cudaMemcpy2DAsync(to, to_ld * size, from, from_ld * size, rows * size, columns, kind, stream);
  if (error == cudaSuccess && wait) error = cudaStreamSynchronize(stream);
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_MAPPING_ERROR;
}

// C = alpha op(A) + beta op(B). Element (i, j) of op(A) is at i * down + j * right. What is multiplied by 0 is not read.
template <class T>
__global__ void geam(int rows, int columns, Scalar<T> alpha, const T* a, long long a_down, long long a_right,
                     Scalar<T> beta, const T* b, long long b_down, long long b_right, T* c, int ldc) {
  const long long t = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (t >= static_cast<long long>(rows) * columns) return;
  const long long i = t % rows, j = t / rows;
  const T first = alpha.get(), second = beta.get();
  const T left = first == T(0) ? T(0) : first * a[i * a_down + j * a_right];
  const T right = second == T(0) ? T(0) : second * b[i * b_down + j * b_right];
  c[i + j * ldc] = left + right;
}

// A triangular system op(A) x = alpha b for each vector of B, which x replaces: a thread for each. Element (i, j) of op(A) is at
// i * down + j * right; elements of a vector are `step` apart.
template <class T>
__global__ void trsm(int n, int vectors, Scalar<T> alpha, const T* a, long long down, long long right,
                     bool upper, bool unit, T* b, long long step, long long apart) {
  const int vector = blockIdx.x * blockDim.x + threadIdx.x;
  if (vector >= vectors) return;
  T* const x = b + vector * apart;
  for (int k = 0; k < n; ++k) {
    const int i = upper ? n - 1 - k : k;
    T rest = alpha.get() * x[i * step];
    for (int j = upper ? i + 1 : 0; j < (upper ? n : i); ++j) rest -= a[i * down + j * right] * x[j * step];
    x[i * step] = unit ? rest : rest / a[i * (down + right)];
  }
}

// One triangle of C = alpha op(A) op(A)^T + beta C.
template <class T>
__global__ void syrk(int n, int k, bool upper, Scalar<T> alpha, const T* a, long long down, long long right,
                     Scalar<T> beta, T* c, int ldc) {
  const long long t = blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
  if (t >= static_cast<long long>(n) * n) return;
  const long long i = t % n, j = t / n;
  if (upper ? i > j : i < j) return;
  T sum = 0;
  for (int p = 0; p < k; ++p) sum += a[i * down + p * right] * a[j * down + p * right];
  T& to = c[i + j * ldc];
  const T scale = beta.get();
  to = alpha.get() * sum + (scale == T(0) ? T(0) : scale * to);
}

constexpr int kElementBlock = 128;

template <class T>
inline cublasStatus_t add_matrices(cublasHandle_t handle, cublasOperation_t op_a, cublasOperation_t op_b,
                                   int m, int n, const T* alpha, const T* a, int lda, const T* beta,
                                   const T* b, int ldb, T* c, int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || ldc < m) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool plain_a = op_a == CUBLAS_OP_N, plain_b = op_b == CUBLAS_OP_N;
  geam<T><<<blocks_for(static_cast<long long>(m) * n, kElementBlock), kElementBlock, 0, handle->stream>>>(
      m, n, scalar(handle, alpha), a, plain_a ? 1 : lda, plain_a ? lda : 1, scalar(handle, beta), b,
      plain_b ? 1 : ldb, plain_b ? ldb : 1, c, ldc);
  return status_of(cudaPeekAtLastError());
}

// X op(A) = alpha B is the system of op(A)^T for the rows of B.
template <class T>
inline cublasStatus_t solve_triangle(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                     cublasOperation_t operation, cublasDiagType_t diagonal, int m, int n,
                                     const T* alpha, const T* a, int lda, T* b, int ldb) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool left = side == CUBLAS_SIDE_LEFT;
  if (m < 0 || n < 0 || lda < (left ? m : n) || ldb < m) return CUBLAS_STATUS_INVALID_VALUE;
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  const bool turned = (operation != CUBLAS_OP_N) == left;
  const bool upper = (fill == CUBLAS_FILL_MODE_UPPER) != turned;
  const int vectors = left ? n : m;
  trsm<T><<<blocks_for(vectors, kElementBlock), kElementBlock, 0, handle->stream>>>(
      left ? m : n, vectors, scalar(handle, alpha), a, turned ? lda : 1, turned ? 1 : lda, upper,
      diagonal == CUBLAS_DIAG_UNIT, b, left ? 1 : ldb, left ? ldb : 1);
  return status_of(cudaPeekAtLastError());
}

template <class T>
inline cublasStatus_t multiply_by_itself(cublasHandle_t handle, cublasFillMode_t fill,
                                         cublasOperation_t operation, int n, int k, const T* alpha,
                                         const T* a, int lda, const T* beta, T* c, int ldc) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const bool plain = operation == CUBLAS_OP_N;
  if (n < 0 || k < 0 || lda < (plain ? n : k) || ldc < n) return CUBLAS_STATUS_INVALID_VALUE;
  if (n == 0) return CUBLAS_STATUS_SUCCESS;
  syrk<T><<<blocks_for(static_cast<long long>(n) * n, kElementBlock), kElementBlock, 0, handle->stream>>>(
      n, k, fill == CUBLAS_FILL_MODE_UPPER, scalar(handle, alpha), a, plain ? 1 : lda, plain ? lda : 1,
      scalar(handle, beta), c, ldc);
  return status_of(cudaPeekAtLastError());
}

}  // namespace cublas

#define CUSET_CUBLAS_COPIES(name, kind)                                                                      \
  inline cublasStatus_t cublas##name##Matrix(int rows, int columns, int bytes, const void* a, int lda,       \
                                             void* b, int ldb) {                                             \
    return cublas::copy_matrix(rows, columns, bytes, a, lda, b, ldb, kind, nullptr, true);                   \
  }                                                                                                          \
  inline cublasStatus_t cublas##name##MatrixAsync(int rows, int columns, int bytes, const void* a, int lda,  \
                                                  void* b, int ldb, cudaStream_t stream) {                   \
    return cublas::copy_matrix(rows, columns, bytes, a, lda, b, ldb, kind, stream, false);                   \
  }                                                                                                          \
  inline cublasStatus_t cublas##name##Vector(int n, int bytes, const void* x, int incx, void* y, int incy) { \
    return cublas::copy_matrix(1, n, bytes, x, incx, y, incy, kind, nullptr, true);                          \
  }                                                                                                          \
  inline cublasStatus_t cublas##name##VectorAsync(int n, int bytes, const void* x, int incx, void* y,        \
                                                  int incy, cudaStream_t stream) {                           \
    return cublas::copy_matrix(1, n, bytes, x, incx, y, incy, kind, stream, false);                          \
  }
CUSET_CUBLAS_COPIES(Set, cudaMemcpyHostToDevice)
CUSET_CUBLAS_COPIES(Get, cudaMemcpyDeviceToHost)
#undef CUSET_CUBLAS_COPIES

#define CUSET_CUBLAS_MATRICES(letter, type)                                                                \
  template <int = 0>                                                                                       \
  inline cublasStatus_t cublas##letter##geam(cublasHandle_t handle, cublasOperation_t transa,              \
                                             cublasOperation_t transb, int m, int n, const type* alpha,    \
                                             const type* a, int lda, const type* beta, const type* b,      \
                                             int ldb, type* c, int ldc) {                                  \
    return cublas::add_matrices(handle, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);        \
  }                                                                                                        \
  template <int = 0>                                                                                       \
  inline cublasStatus_t cublas##letter##trsm(cublasHandle_t handle, cublasSideMode_t side,                 \
                                             cublasFillMode_t fill, cublasOperation_t trans,               \
                                             cublasDiagType_t diagonal, int m, int n, const type* alpha,   \
                                             const type* a, int lda, type* b, int ldb) {                   \
    return cublas::solve_triangle(handle, side, fill, trans, diagonal, m, n, alpha, a, lda, b, ldb);       \
  }                                                                                                        \
  template <int = 0>                                                                                       \
  inline cublasStatus_t cublas##letter##syrk(cublasHandle_t handle, cublasFillMode_t fill,                 \
                                             cublasOperation_t trans, int n, int k, const type* alpha,     \
                                             const type* a, int lda, const type* beta, type* c, int ldc) { \
    return cublas::multiply_by_itself(handle, fill, trans, n, k, alpha, a, lda, beta, c, ldc);             \
  }
CUSET_CUBLAS_MATRICES(S, float)
CUSET_CUBLAS_MATRICES(D, double)
#undef CUSET_CUBLAS_MATRICES

// Vectors and result of one type; the sum is kept in double.
template <int = 0>
inline cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void* x, cudaDataType type_x, int incx,
                                  const void* y, cudaDataType type_y, int incy, void* result,
                                  cudaDataType type_result, cudaDataType) {
  if (type_x != type_y || type_x != type_result) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto take = [&](auto* to) {
    typedef decltype(to) Pointer;
    return cublas::take_sum(handle, cublas::Sum::kDot, n, static_cast<Pointer>(const_cast<void*>(x)), incx,
                            static_cast<Pointer>(const_cast<void*>(y)), incy, to);
  };
  if (type_x == CUDA_R_32F) return take(static_cast<float*>(result));
  if (type_x == CUDA_R_64F) return take(static_cast<double*>(result));
  if (type_x == CUDA_R_16F) return take(static_cast<__half*>(result));
  if (type_x == CUDA_R_16BF) return take(static_cast<__nv_bfloat16*>(result));
  return CUBLAS_STATUS_NOT_SUPPORTED;
}
