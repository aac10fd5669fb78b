// cuBLAS, level 3: products of matrices, alone, in batches and of mixed types. C = alpha op(A) op(B) + beta C.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuset_emulator/cublas/types.h"

namespace cublas {

constexpr int kProductBlock = 128;

// Element (i, j) of op(A) is at i * down + j * right.
template <class T>
struct Matrix {
  const T* data;
  const T* const* batch;  // in place of `data`: one address for each product
  long long down, right;
  long long stride;  // between the matrices of a batch
  bool conjugated;
  __device__ const T* of(int product) const {
    return batch != nullptr ? batch[product] : data + product * stride;
  }
};

template <class T>
struct Result {
  T* data;
  T* const* batch;
  int columns_apart;
  long long stride;
  __device__ T* of(int product) const { return batch != nullptr ? batch[product] : data + product * stride; }
};

// A thread for each row of a column of C. Sums are kept in `S`.
template <class In, class Out, class S>
__global__ void gemm(int m, int k, Scalar<S> alpha, Matrix<In> a_given, Matrix<In> b_given, Scalar<S> beta,
                     Result<Out> c_given) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
  if (i >= m) return;
  const In* const a = a_given.of(blockIdx.z) + i * a_given.down;
  const In* const b = b_given.of(blockIdx.z) + j * b_given.right;
  S sum = 0;
  for (int p = 0; p < k; ++p)
    sum += static_cast<S>(element(a[p * a_given.right], a_given.conjugated)) *
           static_cast<S>(element(b[p * b_given.down], b_given.conjugated));
  Out& to = c_given.of(blockIdx.z)[i + static_cast<long long>(j) * c_given.columns_apart];
  const S scale = beta.get();
  to = static_cast<Out>(alpha.get() * sum + (scale == S(0) ? S(0) : scale * static_cast<S>(to)));
}

struct Shape {
  cublasOperation_t a, b;
  int m, n, k, lda, ldb, ldc, products;
};

// Elements from one matrix of a batch to the next.
struct Strides {
  long long a, b, c;
};

inline bool is_valid(const Shape& shape) {
  const int rows_of_a = shape.a == CUBLAS_OP_N ? shape.m : shape.k;
  const int rows_of_b = shape.b == CUBLAS_OP_N ? shape.k : shape.n;
  return shape.m >= 0 && shape.n >= 0 && shape.k >= 0 && shape.products >= 0 && shape.lda >= 1 &&
         shape.ldb >= 1 && shape.ldc >= 1 && shape.lda >= rows_of_a && shape.ldb >= rows_of_b &&
         shape.ldc >= shape.m;
}

template <class T>
inline Matrix<T> matrix(cublasOperation_t operation, const T* data, const T* const* batch, int apart,
                        long long stride) {
  const bool plain = operation == CUBLAS_OP_N;
  return {data,
          batch,
          plain ? 1LL : apart,
          plain ? static_cast<long long>(apart) : 1LL,
          stride,
          operation == CUBLAS_OP_C};
}

template <class In, class Out, class S>
inline cublasStatus_t multiply(cublasHandle_t handle, const Shape& shape, Scalar<S> alpha, Matrix<In> a,
                               Matrix<In> b, Scalar<S> beta, Result<Out> c) {
  if (!is_valid(shape)) return CUBLAS_STATUS_INVALID_VALUE;
  if (shape.m == 0 || shape.n == 0 || shape.products == 0) return CUBLAS_STATUS_SUCCESS;
  if (shape.n > 65535 || shape.products > 65535) return CUBLAS_STATUS_NOT_SUPPORTED;
  gemm<In, Out, S><<<dim3(blocks_for(shape.m, kProductBlock), shape.n, shape.products), kProductBlock, 0,
                     handle->stream>>>(shape.m, shape.k, alpha, a, b, beta, c);
  return status_of(cudaPeekAtLastError());
}

// alpha and beta of half products are halves; their sums are kept in float.
inline Scalar<float> scalar(cublasHandle_t handle, const __half* given) {
  if (handle->mode == CUBLAS_POINTER_MODE_HOST) return {__half2float(*given), nullptr};
  __half value;
  cudaMemcpy(&value, given, sizeof(value), cudaMemcpyDeviceToHost);
  return {__half2float(value), nullptr};
}

template <class In, class Out, class S>
inline cublasStatus_t multiply_typed(cublasHandle_t handle, const Shape& shape, const Strides& strides,
                                     const void* alpha, const void* a, const void* b, const void* beta,
                                     void* c) {
  return multiply<In, Out, S>(handle, shape, scalar(handle, static_cast<const S*>(alpha)),
                              matrix(shape.a, static_cast<const In*>(a),
                                     static_cast<const In* const*>(nullptr), shape.lda, strides.a),
                              matrix(shape.b, static_cast<const In*>(b),
                                     static_cast<const In* const*>(nullptr), shape.ldb, strides.b),
                              scalar(handle, static_cast<const S*>(beta)),
                              Result<Out>{static_cast<Out*>(c), nullptr, shape.ldc, strides.c});
}

}  // namespace cublas

#define CUSET_CUBLAS_LEVEL3(letter, type)                                                                  \
  template <int = 0>                                                                                       \
  inline cublasStatus_t cublas##letter##gemmStridedBatched(                                                \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
      const type* alpha, const type* a, int lda, long long stride_a, const type* b, int ldb,               \
      long long stride_b, const type* beta, type* c, int ldc, long long stride_c, int products) {          \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                           \
    const type* const* const none = nullptr;                                                               \
    return cublas::multiply(handle, {transa, transb, m, n, k, lda, ldb, ldc, products},                    \
                            cublas::scalar(handle, alpha), cublas::matrix(transa, a, none, lda, stride_a), \
                            cublas::matrix(transb, b, none, ldb, stride_b), cublas::scalar(handle, beta),  \
                            cublas::Result<type>{c, nullptr, ldc, stride_c});                              \
  }                                                                                                        \
  template <int = 0>                                                                                       \
  inline cublasStatus_t cublas##letter##gemmBatched(                                                       \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,      \
      const type* alpha, const type* const a[], int lda, const type* const b[], int ldb, const type* beta, \
      type* const c[], int ldc, int products) {                                                            \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;                                           \
    const type* const none = nullptr;                                                                      \
    return cublas::multiply(handle, {transa, transb, m, n, k, lda, ldb, ldc, products},                    \
                            cublas::scalar(handle, alpha), cublas::matrix(transa, none, a, lda, 0),        \
                            cublas::matrix(transb, none, b, ldb, 0), cublas::scalar(handle, beta),         \
                            cublas::Result<type>{nullptr, c, ldc, 0});                                     \
  }

// For complex.h, too, which ends it.
#define CUSET_CUBLAS_GEMM(letter, type)                                                                     \
  template <int = 0>                                                                                        \
  inline cublasStatus_t cublas##letter##gemm(cublasHandle_t handle, cublasOperation_t transa,               \
                                             cublasOperation_t transb, int m, int n, int k,                 \
                                             const type* alpha, const type* a, int lda, const type* b,      \
                                             int ldb, const type* beta, type* c, int ldc) {                 \
    return cublas##letter##gemmStridedBatched(handle, transa, transb, m, n, k, alpha, a, lda, 0, b, ldb, 0, \
                                              beta, c, ldc, 0, 1);                                          \
  }

CUSET_CUBLAS_LEVEL3(S, float)
CUSET_CUBLAS_LEVEL3(D, double)
CUSET_CUBLAS_LEVEL3(H, __half)
CUSET_CUBLAS_GEMM(S, float)
CUSET_CUBLAS_GEMM(D, double)
CUSET_CUBLAS_GEMM(H, __half)

#undef CUSET_CUBLAS_LEVEL3

// A and B of one type; sums in float, or in double where all is double.
template <int = 0>
inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a, const void* b,
    cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
    long long stride_c, int products, cublasComputeType_t compute, cublasGemmAlgo_t) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  const cublas::Shape shape{transa, transb, m, n, k, lda, ldb, ldc, products};
  const cublas::Strides strides{stride_a, stride_b, stride_c};
  if (type_a != type_b || compute == CUBLAS_COMPUTE_16F) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool in_double = compute == CUBLAS_COMPUTE_64F;
  if (in_double != (type_a == CUDA_R_64F) || in_double != (type_c == CUDA_R_64F))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  if (in_double)
    return cublas::multiply_typed<double, double, double>(handle, shape, strides, alpha, a, b, beta, c);
  if (type_a == CUDA_R_32F && type_c == CUDA_R_32F)
    return cublas::multiply_typed<float, float, float>(handle, shape, strides, alpha, a, b, beta, c);
  if (type_a == CUDA_R_16F && type_c == CUDA_R_32F)
    return cublas::multiply_typed<__half, float, float>(handle, shape, strides, alpha, a, b, beta, c);
  if (type_a == CUDA_R_16F && type_c == CUDA_R_16F)
    return cublas::multiply_typed<__half, __half, float>(handle, shape, strides, alpha, a, b, beta, c);
  if (type_a == CUDA_R_16BF && type_c == CUDA_R_32F)
    return cublas::multiply_typed<__nv_bfloat16, float, float>(handle, shape, strides, alpha, a, b, beta, c);
  if (type_a == CUDA_R_16BF && type_c == CUDA_R_16BF)
    return cublas::multiply_typed<__nv_bfloat16, __nv_bfloat16, float>(handle, shape, strides, alpha, a, b,
                                                                       beta, c);
  return CUBLAS_STATUS_NOT_SUPPORTED;
}

template <int = 0>
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void* alpha, const void* a, cudaDataType type_a,
                                   int lda, const void* b, cudaDataType type_b, int ldb, const void* beta,
                                   void* c, cudaDataType type_c, int ldc, cublasComputeType_t compute,
                                   cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb,
                                    0, beta, c, type_c, ldc, 0, 1, compute, algorithm);
}

// Programs from before CUDA 11 name the type of the sums as one of numbers.
namespace cublas {

inline cublasComputeType_t compute_type(cudaDataType numbers) {
  switch (numbers) {
    case CUDA_R_64F:
    case CUDA_C_64F:
      return CUBLAS_COMPUTE_64F;
    case CUDA_R_16F:
      return CUBLAS_COMPUTE_16F;
    case CUDA_R_32I:
      return CUBLAS_COMPUTE_32I;
    default:
      return CUBLAS_COMPUTE_32F;
  }
}

}  // namespace cublas

template <int = 0>
inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void* alpha, const void* a, cudaDataType type_a, int lda, long long stride_a, const void* b,
    cudaDataType type_b, int ldb, long long stride_b, const void* beta, void* c, cudaDataType type_c, int ldc,
    long long stride_c, int products, cudaDataType compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, stride_a, b,
                                    type_b, ldb, stride_b, beta, c, type_c, ldc, stride_c, products,
                                    cublas::compute_type(compute), algorithm);
}

template <int = 0>
inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb,
                                   int m, int n, int k, const void* alpha, const void* a, cudaDataType type_a,
                                   int lda, const void* b, cudaDataType type_b, int ldb, const void* beta,
                                   void* c, cudaDataType type_c, int ldc, cudaDataType compute,
                                   cublasGemmAlgo_t algorithm) {
  return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c,
                      ldc, cublas::compute_type(compute), algorithm);
}
