// cuSOLVER's dense factorizations of float and double: LU, Cholesky, QR, eigenvalues of symmetric matrices, singular values.
// Its kernels are CUDA kernels of ours, one thread for a matrix. What is not declared here is not served.
#pragma once
#define CUSOLVERDN_H_  // NVIDIA's include guard

#include "cuset_emulator/cusolver/kernels.h"
#include "cusolver_common.h"

struct cusolverDnContext {
  cudaStream_t stream = nullptr;
};
typedef cusolverDnContext* cusolverDnHandle_t;

namespace cusolver {

constexpr int kSideBlock = 64;

inline cusolverStatus_t launched() {
  return cudaPeekAtLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}
inline unsigned int blocks_for(int lines) { return (lines + kSideBlock - 1) / kSideBlock; }
// `count` numbers of double, counted in numbers of T.
template <class T>
inline int in_elements(long long count) {
  return static_cast<int>(count * static_cast<long long>(sizeof(double) / sizeof(T)) + 1);
}
// The work area from an address that double may have.
template <class T>
inline double* as_doubles(T* work) {
  return reinterpret_cast<double*>((reinterpret_cast<size_t>(work) + 7) / 8 * 8);
}

// U's columns and V^T's rows that a job of gesvd wants; -1 for a job that is not served.
inline int wanted(signed char job, int all, int some) {
  return job == 'A' ? all : job == 'S' ? some : job == 'N' ? 0 : -1;
}

}  // namespace cusolver

inline cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t* handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_INVALID_VALUE;
  *handle = new cusolverDnContext;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  handle->stream = stream;
  return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t* stream) {
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED;
  *stream = handle->stream;
  return CUSOLVER_STATUS_SUCCESS;
}

#define CUSET_CUSOLVER_CHECK(is_valid)                           \
  if (handle == nullptr) return CUSOLVER_STATUS_NOT_INITIALIZED; \
  if (!(is_valid)) return CUSOLVER_STATUS_INVALID_VALUE;

#define CUSET_CUSOLVER_LINEAR(letter, type)                                                                  \
  inline cusolverStatus_t cusolverDn##letter##getrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                               type*, int lda, int* size) {                  \
    CUSET_CUSOLVER_CHECK(m >= 0 && n >= 0 && lda >= m)                                                       \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##getrf(cusolverDnHandle_t handle, int m, int n, type* a,        \
                                                    int lda, type*, int* pivots, int* info) {                \
    CUSET_CUSOLVER_CHECK(m >= 0 && n >= 0 && lda >= m)                                                       \
    cusolver::factor_lu<type><<<1, 1, 0, handle->stream>>>(m, n, a, lda, pivots, info);                      \
    return cusolver::launched();                                                                             \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##getrs(cusolverDnHandle_t handle, cublasOperation_t trans,      \
                                                    int n, int sides, const type* a, int lda,                \
                                                    const int* pivots, type* b, int ldb, int* info) {        \
    CUSET_CUSOLVER_CHECK(n >= 0 && sides >= 0 && lda >= n && ldb >= n)                                       \
    cusolver::solve_lu<type><<<cusolver::blocks_for(sides + 1), cusolver::kSideBlock, 0, handle->stream>>>(  \
        trans != CUBLAS_OP_N, n, sides, const_cast<type*>(a), lda, pivots, b, ldb, info);                    \
    return cusolver::launched();                                                                             \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##letter##potrf_bufferSize(cusolverDnHandle_t handle, cublasFillMode_t,  \
                                                               int n, type*, int lda, int* size) {           \
    CUSET_CUSOLVER_CHECK(n >= 0 && lda >= n)                                                                 \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, \
                                                    type* a, int lda, type*, int, int* info) {               \
    CUSET_CUSOLVER_CHECK(n >= 0 && lda >= n)                                                                 \
    cusolver::factor_cholesky<type>                                                                          \
        <<<1, 1, 0, handle->stream>>>(fill == CUBLAS_FILL_MODE_UPPER, n, a, lda, info);                      \
    return cusolver::launched();                                                                             \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, \
                                                    int sides, const type* a, int lda, type* b, int ldb,     \
                                                    int* info) {                                             \
    CUSET_CUSOLVER_CHECK(n >= 0 && sides >= 0 && lda >= n && ldb >= n)                                       \
    cusolver::solve_cholesky<type>                                                                           \
        <<<cusolver::blocks_for(sides + 1), cusolver::kSideBlock, 0, handle->stream>>>(                      \
            fill == CUBLAS_FILL_MODE_UPPER, n, sides, const_cast<type*>(a), lda, b, ldb, info);              \
    return cusolver::launched();                                                                             \
  }
CUSET_CUSOLVER_LINEAR(S, float)
CUSET_CUSOLVER_LINEAR(D, double)
#undef CUSET_CUSOLVER_LINEAR

#define CUSET_CUSOLVER_QR(letter, type)                                                                      \
  inline cusolverStatus_t cusolverDn##letter##geqrf_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                               type*, int lda, int* size) {                  \
    CUSET_CUSOLVER_CHECK(m >= 0 && n >= 0 && lda >= m)                                                       \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##geqrf(cusolverDnHandle_t handle, int m, int n, type* a,        \
                                                    int lda, type* tau, type*, int, int* info) {             \
    CUSET_CUSOLVER_CHECK(m >= 0 && n >= 0 && lda >= m)                                                       \
    cusolver::factor_qr<type><<<1, 1, 0, handle->stream>>>(m, n, a, lda, tau, info);                         \
    return cusolver::launched();                                                                             \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##letter##ormqr_bufferSize(                                              \
      cusolverDnHandle_t handle, cublasSideMode_t, cublasOperation_t, int, int, int, const type*, int,       \
      const type*, const type*, int, int* size) {                                                            \
    CUSET_CUSOLVER_CHECK(true)                                                                               \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##ormqr(                                                         \
      cusolverDnHandle_t handle, cublasSideMode_t side, cublasOperation_t trans, int m, int n, int k,        \
      const type* a, int lda, const type* tau, type* c, int ldc, type*, int, int* info) {                    \
    const bool left = side == CUBLAS_SIDE_LEFT;                                                              \
    CUSET_CUSOLVER_CHECK(m >= 0 && n >= 0 && k >= 0 && k <= (left ? m : n) && ldc >= m)                      \
    cusolver::multiply_by_q<type>                                                                            \
        <<<cusolver::blocks_for((left ? n : m) + 1), cusolver::kSideBlock, 0, handle->stream>>>(             \
            left, trans != CUBLAS_OP_N, m, n, k, a, lda, tau, c, ldc, info);                                 \
    return cusolver::launched();                                                                             \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##letter##orgqr_bufferSize(cusolverDnHandle_t handle, int, int, int,     \
                                                               const type*, int, const type*, int* size) {   \
    CUSET_CUSOLVER_CHECK(true)                                                                               \
    *size = 1;                                                                                               \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##orgqr(cusolverDnHandle_t handle, int m, int n, int k, type* a, \
                                                    int lda, const type* tau, type*, int, int* info) {       \
    CUSET_CUSOLVER_CHECK(n >= 0 && m >= n && k >= 0 && k <= n && lda >= m)                                   \
    cusolver::form_q<type><<<1, 1, 0, handle->stream>>>(m, n, k, a, lda, tau, info);                         \
    return cusolver::launched();                                                                             \
  }
CUSET_CUSOLVER_QR(S, float)
CUSET_CUSOLVER_QR(D, double)
#undef CUSET_CUSOLVER_QR

#define CUSET_CUSOLVER_SPECTRA(letter, type)                                                                 \
  inline cusolverStatus_t cusolverDn##letter##syevd_bufferSize(cusolverDnHandle_t handle, cusolverEigMode_t, \
                                                               cublasFillMode_t, int n, const type*,         \
                                                               int lda, const type*, int* size) {            \
    CUSET_CUSOLVER_CHECK(n >= 0 && lda >= n)                                                                 \
    *size = cusolver::in_elements<type>(2LL * n * n + n);                                                    \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##syevd(cusolverDnHandle_t handle, cusolverEigMode_t mode,       \
                                                    cublasFillMode_t fill, int n, type* a, int lda,          \
                                                    type* values, type* work, int size, int* info) {         \
    CUSET_CUSOLVER_CHECK(n >= 0 && lda >= n && size >= cusolver::in_elements<type>(2LL * n * n + n))         \
    cusolver::find_eigenvalues<type><<<1, 1, 0, handle->stream>>>(mode == CUSOLVER_EIG_MODE_VECTOR,          \
                                                                  fill == CUBLAS_FILL_MODE_UPPER, n, a, lda, \
                                                                  values, cusolver::as_doubles(work), info); \
    return cusolver::launched();                                                                             \
  }                                                                                                          \
  inline cusolverStatus_t cusolverDn##letter##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,      \
                                                               int* size) {                                  \
    CUSET_CUSOLVER_CHECK(m >= n && n >= 0)                                                                   \
    *size = cusolver::in_elements<type>(1LL * m * m + 1LL * n * n + n);                                      \
    return CUSOLVER_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusolverStatus_t cusolverDn##letter##gesvd(                                                         \
      cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, type* a, int lda,        \
      type* s, type* u, int ldu, type* vt, int ldvt, type* work, int size, type*, int* info) {               \
    CUSET_CUSOLVER_CHECK(m >= n && n >= 0 && lda >= m &&                                                     \
                         size >= cusolver::in_elements<type>(1LL * m * m + 1LL * n * n + n))                 \
    const int columns = cusolver::wanted(jobu, m, n), rows = cusolver::wanted(jobvt, n, n);                  \
    if (columns < 0 || rows < 0) cuset_unserved_call("cuSOLVER's gesvd with job O");                         \
    cusolver::find_singular_values<type><<<1, 1, 0, handle->stream>>>(                                       \
        m, n, a, lda, s, u, ldu, columns, vt, ldvt, rows, cusolver::as_doubles(work), info);                 \
    return cusolver::launched();                                                                             \
  }
CUSET_CUSOLVER_SPECTRA(S, float)
CUSET_CUSOLVER_SPECTRA(D, double)
#undef CUSET_CUSOLVER_SPECTRA
#undef CUSET_CUSOLVER_CHECK
