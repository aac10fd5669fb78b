// cuBLAS, level 1: vectors of float and double.
#pragma once

#include "cuset_emulator/cublas/types.h"

namespace cublas {

constexpr int kVectorBlock = 256;

template <class T>
__global__ void axpy(int n, Scalar<T> alpha, const T* x, int x_step, T* y, int y_step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[place(i, n, y_step)] += alpha.get() * x[place(i, n, x_step)];
}
template <class T>
__global__ void scal(int n, Scalar<T> alpha, T* x, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[static_cast<long long>(i) * step] *= alpha.get();
}
template <class T>
__global__ void copy(int n, const T* x, int x_step, T* y, int y_step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[place(i, n, y_step)] = x[place(i, n, x_step)];
}
template <class T>
__global__ void swap(int n, T* x, int x_step, T* y, int y_step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T kept = x[place(i, n, x_step)];
  x[place(i, n, x_step)] = y[place(i, n, y_step)];
  y[place(i, n, y_step)] = kept;
}

enum class Sum { kDot, kNorm, kAbsolute };

// One block; sums are kept in double.
template <class T>
__global__ void sum(Sum kind, int n, const T* x, int x_step, const T* y, int y_step, T* result) {
  __shared__ double parts[kVectorBlock];
  double part = 0;
  for (int i = threadIdx.x; i < n; i += kVectorBlock) {
    const double a = x[place(i, n, x_step)];
    if (kind == Sum::kDot) part += a * static_cast<double>(y[place(i, n, y_step)]);
    if (kind == Sum::kNorm) part += a * a;
    if (kind == Sum::kAbsolute) part += fabs(a);
  }
  parts[threadIdx.x] = part;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int i = 1; i < kVectorBlock; ++i) part += parts[i];
  *result = static_cast<T>(kind == Sum::kNorm ? sqrt(part) : part);
}

// The first place, counted from 1, of the largest or smallest magnitude; 0 of no elements.
template <class T>
__global__ void extreme(bool is_largest, int n, const T* x, int step, int* result) {
  int best = 0;
  for (int i = 1; i < n; ++i) {
    const T a = fabs(x[static_cast<long long>(i) * step]), b = fabs(x[static_cast<long long>(best) * step]);
    if (is_largest ? a > b : a < b) best = i;
  }
  *result = n > 0 ? best + 1 : 0;
}

// Lets `launch` write to device memory, and hands on what it wrote where the handle says so.
template <class R, class Launch>
inline cublasStatus_t with_result(cublasHandle_t handle, R* result, Launch launch) {
  if (handle->mode == CUBLAS_POINTER_MODE_DEVICE) {
    launch(result);
    return status_of(cudaPeekAtLastError());
  }
  R* on_device = nullptr;
  if (cudaMalloc(&on_device, sizeof(R)) != cudaSuccess) return CUBLAS_STATUS_ALLOC_FAILED;
  launch(on_device);
  cudaError_t error = cudaMemcpyAsync(result, on_device, sizeof(R), cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  cudaFree(on_device);
  return status_of(error);
}

template <class T>
inline cublasStatus_t take_sum(cublasHandle_t handle, Sum kind, int n, const T* x, int x_step, const T* y,
                               int y_step, T* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  // As in BLAS, norms and sums of magnitudes have no negative steps.
  const int count = kind != Sum::kDot && x_step <= 0 ? 0 : n;
  return with_result(handle, result, [&](T* to) {
    sum<T><<<1, kVectorBlock, 0, handle->stream>>>(kind, count, x, x_step, y, y_step, to);
  });
}

template <class T>
inline cublasStatus_t find_extreme(cublasHandle_t handle, bool is_largest, int n, const T* x, int step,
                                   int* result) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  return with_result(handle, result, [&](int* to) {
    extreme<T><<<1, 1, 0, handle->stream>>>(is_largest, step <= 0 ? 0 : n, x, step, to);
  });
}

}  // namespace cublas

// This and CUSET_CUBLAS_MOVES serve complex.h, too, which ends them.
#define CUSET_CUBLAS_LAUNCH(kernel, ...)                                                                    \
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                              \
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;                                                                 \
  cublas::kernel<<<cublas::blocks_for(n, cublas::kVectorBlock), cublas::kVectorBlock, 0, handle->stream>>>( \
      __VA_ARGS__);                                                                                         \
  return cublas::status_of(cudaPeekAtLastError());

// Calls that look at no number: alike for real and complex ones.
#define CUSET_CUBLAS_MOVES(letter, type)                                                                     \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##copy(cublasHandle_t handle, int n, const type* x, int incx, type* y, \
                                             int incy) {                                                     \
    CUSET_CUBLAS_LAUNCH(copy, n, x, incx, y, incy)                                                           \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##swap(cublasHandle_t handle, int n, type* x, int incx, type* y,       \
                                             int incy) {                                                     \
    CUSET_CUBLAS_LAUNCH(swap, n, x, incx, y, incy)                                                           \
  }

#define CUSET_CUBLAS_LEVEL1(letter, type)                                                                    \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##axpy(cublasHandle_t handle, int n, const type* alpha, const type* x, \
                                             int incx, type* y, int incy) {                                  \
    CUSET_CUBLAS_LAUNCH(axpy, n, cublas::scalar(handle, alpha), x, incx, y, incy)                            \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##scal(cublasHandle_t handle, int n, const type* alpha, type* x,       \
                                             int incx) {                                                     \
    if (incx <= 0) n = 0;                                                                                    \
    CUSET_CUBLAS_LAUNCH(scal, n, cublas::scalar(handle, alpha), x, incx)                                     \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##dot(cublasHandle_t handle, int n, const type* x, int incx,           \
                                            const type* y, int incy, type* result) {                         \
    return cublas::take_sum(handle, cublas::Sum::kDot, n, x, incx, y, incy, result);                         \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##nrm2(cublasHandle_t handle, int n, const type* x, int incx,          \
                                             type* result) {                                                 \
    return cublas::take_sum(handle, cublas::Sum::kNorm, n, x, incx, x, incx, result);                        \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublas##letter##asum(cublasHandle_t handle, int n, const type* x, int incx,          \
                                             type* result) {                                                 \
    return cublas::take_sum(handle, cublas::Sum::kAbsolute, n, x, incx, x, incx, result);                    \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublasI##letter##amax(cublasHandle_t handle, int n, const type* x, int incx,         \
                                              int* result) {                                                 \
    return cublas::find_extreme(handle, true, n, x, incx, result);                                           \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cublasStatus_t cublasI##letter##amin(cublasHandle_t handle, int n, const type* x, int incx,         \
                                              int* result) {                                                 \
    return cublas::find_extreme(handle, false, n, x, incx, result);                                          \
  }

#define cublasIsamax cublasISamax
#define cublasIdamax cublasIDamax
#define cublasIsamin cublasISamin
#define cublasIdamin cublasIDamin

CUSET_CUBLAS_MOVES(S, float)
CUSET_CUBLAS_MOVES(D, double)
CUSET_CUBLAS_LEVEL1(S, float)
CUSET_CUBLAS_LEVEL1(D, double)

#undef CUSET_CUBLAS_LEVEL1
