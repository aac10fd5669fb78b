// cuBLAS: LU factorizations, solutions and inverses of many small matrices, a thread for each.
#pragma once

#include "cuset_emulator/cublas/types.h"
#include "cuset_emulator/cusolver/kernels.h"

namespace cublas {

template <class T>
__global__ void getrf_batched(int n, T* const* matrices, int lda, int* pivots, int* info, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  int* const own = pivots == nullptr ? nullptr : pivots + static_cast<long long>(i) * n;
  cusolver::decompose(n, n, matrices[i], lda, own, info + i);
}

// Right-hand sides in `results`, or with `invert`, the columns of the unit matrix.
template <class T>
__global__ void getrs_batched(bool transposed, int n, int sides, T* const* matrices, int lda,
                              const int* pivots, T* const* results, int ldb, int count, bool invert) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const int* const own = pivots == nullptr ? nullptr : pivots + static_cast<long long>(i) * n;
  for (int side = 0; side < sides; ++side) {
    T* const x = results[i] + static_cast<long long>(side) * ldb;
    for (int row = 0; row < n && invert; ++row) x[row] = T(row == side);
    cusolver::solve_one(transposed, n, matrices[i], lda, own, x);
  }
}

constexpr int kMatrixBlock = 32;

}  // namespace cublas

#define CUSET_CUBLAS_BATCHED(letter, type)                                                                   \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##getrfBatched(cublasHandle_t handle, int n, type* const a[], int lda, \
                                                     int* pivots, int* info, int count) {                    \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    if (n < 0 || count < 0 || lda < n) return CUBLAS_STATUS_INVALID_VALUE;                                   \
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                  \
    cublas::getrf_batched<type>                                                                              \
        <<<cublas::blocks_for(count, cublas::kMatrixBlock), cublas::kMatrixBlock, 0, handle->stream>>>(      \
            n, a, lda, pivots, info, count);                                                                 \
    return cublas::status_of(cudaPeekAtLastError());                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##getrsBatched(                                                        \
      cublasHandle_t handle, cublasOperation_t trans, int n, int sides, const type* const a[], int lda,      \
      const int* pivots, type* const b[], int ldb, int* info, int count) {                                   \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    if (n < 0 || sides < 0 || count < 0 || lda < n || ldb < n) return CUBLAS_STATUS_INVALID_VALUE;           \
    *info = 0;                                                                                               \
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                  \
    cublas::getrs_batched<type>                                                                              \
        <<<cublas::blocks_for(count, cublas::kMatrixBlock), cublas::kMatrixBlock, 0, handle->stream>>>(      \
            trans != CUBLAS_OP_N, n, sides, const_cast<type* const*>(a), lda, pivots, b, ldb, count, false); \
    return cublas::status_of(cudaPeekAtLastError());                                                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##getriBatched(cublasHandle_t handle, int n, const type* const a[],    \
                                                     int lda, const int* pivots, type* const c[], int ldc,   \
                                                     int* info, int count) {                                 \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                             \
    if (n < 0 || count < 0 || lda < n || ldc < n) return CUBLAS_STATUS_INVALID_VALUE;                        \
    if (n == 0 || count == 0) return CUBLAS_STATUS_SUCCESS;                                                  \
    cudaMemsetAsync(info, 0, count * sizeof(int), handle->stream);                                           \
    cublas::getrs_batched<type>                                                                              \
        <<<cublas::blocks_for(count, cublas::kMatrixBlock), cublas::kMatrixBlock, 0, handle->stream>>>(      \
            false, n, n, const_cast<type* const*>(a), lda, pivots, c, ldc, count, true);                     \
    return cublas::status_of(cudaPeekAtLastError());                                                         \
  }
CUSET_CUBLAS_BATCHED(S, float)
CUSET_CUBLAS_BATCHED(D, double)
#undef CUSET_CUBLAS_BATCHED
