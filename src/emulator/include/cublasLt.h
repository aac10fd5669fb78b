// cuBLASLt: D = epilogue(alpha op(A) op(B) + beta C + bias) for float, double, half, bfloat16 and int8, by columns or rows, in strided
// batches. Epilogues: bias, ReLU and GELU (in its tanh form). What is not declared here is not served.
#pragma once

#include "cublas_v2.h"
#include "cuset_emulator/cublas/lt_types.h"

namespace cublas {

// Element (i, j) is at i * down + j * right of its product's matrix.
template <class T>
struct Placed {
  T* data;
  long long down, right, stride;
  __device__ T& at(long long product, long long i, long long j) const {
    return data[product * stride + i * down + j * right];
  }
};
template <class T>
inline Placed<T> placed(const void* data, const cublasLtMatrixLayoutOpaque_t& layout, bool transposed) {
  const bool by_columns = (layout.order == CUBLASLT_ORDER_COL) != transposed;
  return {static_cast<T*>(const_cast<void*>(data)), by_columns ? 1LL : layout.ld,
          by_columns ? static_cast<long long>(layout.ld) : 1LL, layout.batch > 1 ? layout.stride : 0};
}

template <class S>
__device__ inline S finished(S x, int epilogue) {
  if (epilogue & CUBLASLT_EPILOGUE_RELU) return x > S(0) ? x : S(0);
  if ((epilogue & CUBLASLT_EPILOGUE_GELU) == 0) return x;
  return S(0.5) * x * (S(1) + static_cast<S>(tanh(0.7978845608028654 * (x + 0.044715 * x * x * x))));
}

// A thread for each row of a column of D.
template <class In, class Out, class S>
__global__ void matmul(int m, int k, Scalar<S> alpha, Placed<In> a, Placed<In> b, Scalar<S> beta,
                       Placed<Out> c, Placed<Out> d, int epilogue, const Out* bias) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y, product = blockIdx.z;
  if (i >= m) return;
  S sum = 0;
  for (int p = 0; p < k; ++p)
    sum += static_cast<S>(a.at(product, i, p)) * static_cast<S>(b.at(product, p, j));
  const S scale = beta.get();
  S result = alpha.get() * sum + (scale == S(0) ? S(0) : scale * static_cast<S>(c.at(product, i, j)));
  if (epilogue & CUBLASLT_EPILOGUE_BIAS) result += static_cast<S>(bias[i]);
  d.at(product, i, j) = static_cast<Out>(finished(result, epilogue));
}

// alpha or beta in the type that the product is scaled in.
template <class S>
inline Scalar<S> lt_scalar(const cublasLtMatmulDescOpaque_t& product, const void* given) {
  if (product.mode == CUBLASLT_POINTER_MODE_DEVICE) return {S(0), static_cast<const S*>(given)};
  if (product.scale == CUDA_R_16F)
    return {static_cast<S>(__half2float(*static_cast<const __half*>(given))), nullptr};
  return {*static_cast<const S*>(given), nullptr};
}

struct LtMatrices {
  const void *a, *b, *c;
  void* d;
  const cublasLtMatrixLayoutOpaque_t *a_layout, *b_layout, *c_layout, *d_layout;
};

template <class In, class Out, class S>
inline cublasStatus_t lt_multiply(const cublasLtMatmulDescOpaque_t& product, const void* alpha,
                                  const void* beta, const LtMatrices& given, cudaStream_t stream) {
  const bool a_turned = product.a != CUBLAS_OP_N, b_turned = product.b != CUBLAS_OP_N;
  const uint64_t m = given.d_layout->rows, n = given.d_layout->columns;
  const uint64_t k = a_turned ? given.a_layout->rows : given.a_layout->columns;
  if ((a_turned ? given.a_layout->columns : given.a_layout->rows) != m ||
      (b_turned ? given.b_layout->columns : given.b_layout->rows) != k ||
      (b_turned ? given.b_layout->rows : given.b_layout->columns) != n)
    return CUBLAS_STATUS_INVALID_VALUE;
  const int batch = given.d_layout->batch;
  if (m == 0 || n == 0 || batch == 0) return CUBLAS_STATUS_SUCCESS;
  if (n > 65535 || batch > 65535) return CUBLAS_STATUS_NOT_SUPPORTED;
  matmul<In, Out, S><<<dim3(blocks_for(m, kProductBlock), n, batch), kProductBlock, 0, stream>>>(
      static_cast<int>(m), static_cast<int>(k), lt_scalar<S>(product, alpha),
      placed<In>(given.a, *given.a_layout, a_turned), placed<In>(given.b, *given.b_layout, b_turned),
      lt_scalar<S>(product, beta), placed<Out>(given.c, *given.c_layout, false),
      placed<Out>(given.d, *given.d_layout, false), product.epilogue, static_cast<const Out*>(product.bias));
  return status_of(cudaPeekAtLastError());
}

}  // namespace cublas

template <int = 0>
inline cublasStatus_t cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t product, const void* alpha,
                                     const void* a, cublasLtMatrixLayout_t a_layout, const void* b,
                                     cublasLtMatrixLayout_t b_layout, const void* beta, const void* c,
                                     cublasLtMatrixLayout_t c_layout, void* d,
                                     cublasLtMatrixLayout_t d_layout, const cublasLtMatmulAlgo_t*, void*,
                                     size_t, cudaStream_t stream) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  if ((product->epilogue &
       ~(CUBLASLT_EPILOGUE_GELU_BIAS | CUBLASLT_EPILOGUE_RELU | CUBLASLT_EPILOGUE_DEFAULT)) != 0)
    cuset_unserved_call("cuBLASLt epilogues other than bias, ReLU and GELU");
  const cublas::LtMatrices given{a, b, c, d, a_layout, b_layout, c_layout, d_layout};
  const cudaDataType in = a_layout->type, out = d_layout->type;
  if (b_layout->type != in || c_layout->type != out) cuset_unserved_call("cuBLASLt with mixed types");
  if (in == CUDA_R_64F && out == CUDA_R_64F)
    return cublas::lt_multiply<double, double, double>(*product, alpha, beta, given, stream);
  if (in == CUDA_R_32F && out == CUDA_R_32F)
    return cublas::lt_multiply<float, float, float>(*product, alpha, beta, given, stream);
  if (in == CUDA_R_16F && out == CUDA_R_16F)
    return cublas::lt_multiply<__half, __half, float>(*product, alpha, beta, given, stream);
  if (in == CUDA_R_16F && out == CUDA_R_32F)
    return cublas::lt_multiply<__half, float, float>(*product, alpha, beta, given, stream);
  if (in == CUDA_R_16BF && out == CUDA_R_16BF)
    return cublas::lt_multiply<__nv_bfloat16, __nv_bfloat16, float>(*product, alpha, beta, given, stream);
  if (in == CUDA_R_16BF && out == CUDA_R_32F)
    return cublas::lt_multiply<__nv_bfloat16, float, float>(*product, alpha, beta, given, stream);
  if (in == CUDA_R_8I && out == CUDA_R_32I && product->compute == CUBLAS_COMPUTE_32I)
    return cublas::lt_multiply<signed char, int, int>(*product, alpha, beta, given, stream);
  cuset_unserved_call("cuBLASLt of types other than float, double, half, bfloat16 and int8 with sums in int");
}
