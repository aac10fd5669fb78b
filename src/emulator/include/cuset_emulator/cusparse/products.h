// cuSPARSE: products of a sparse matrix with vectors and dense matrices, sampled products, and operations of sparse vectors.
// Sums of a row are kept in double.
#pragma once

#include "cuset_emulator/cusparse/types.h"

namespace cusparse {

// What was there counts only with a factor: memory that nobody wrote is not read.
template <class T>
__device__ double scaled(double beta, const T* old) {
  return beta == 0 ? 0 : beta * static_cast<double>(*old);
}

// C = alpha A B + beta C where the lines of A are its rows: a thread for each element of C.
template <class T>
__global__ void multiply_rows(Scalar<T> alpha, Lines<T> a, Dense<T> b, Scalar<T> beta, Dense<T> c) {
  const long long t = thread_number();
  if (t >= c.rows * c.columns) return;
  const long long i = t / c.columns, j = t % c.columns, end = a.begin(i + 1);
  double sum = 0;
  for (long long k = a.begin(i); k < end; ++k)
    sum += static_cast<double>(a.values[k]) * static_cast<double>(b.at(a.places[k], j));
  c.at(i, j) = static_cast<T>(alpha.get() * sum + scaled(beta.get(), &c.at(i, j)));
}

// The same where they are its columns: a thread for each column of C.
template <class T>
__global__ void multiply_columns(Scalar<T> alpha, Lines<T> a, Dense<T> b, Scalar<T> beta, Dense<T> c) {
  const long long j = thread_number();
  if (j >= c.columns) return;
  for (long long i = 0; i < c.rows; ++i) c.at(i, j) = static_cast<T>(scaled(beta.get(), &c.at(i, j)));
  for (long long line = 0; line < a.count; ++line) {
    const double factor = alpha.get() * static_cast<double>(b.at(line, j));
    const long long end = a.begin(line + 1);
    for (long long k = a.begin(line); k < end; ++k)
      c.at(a.places[k], j) += static_cast<T>(factor * static_cast<double>(a.values[k]));
  }
}

// The elements of C that it has: alpha (A B)_ij + beta C_ij. A thread for each line of C.
template <class T>
__global__ void multiply_where_present(Scalar<T> alpha, Dense<T> a, Dense<T> b, Scalar<T> beta, Lines<T> c,
                                       bool by_columns) {
  const long long line = thread_number();
  if (line >= c.count) return;
  const long long end = c.begin(line + 1);
  for (long long k = c.begin(line); k < end; ++k) {
    const long long i = by_columns ? c.places[k] : line, j = by_columns ? line : c.places[k];
    double sum = 0;
    for (long long p = 0; p < a.columns; ++p)
      sum += static_cast<double>(a.at(i, p)) * static_cast<double>(b.at(p, j));
    c.values[k] = static_cast<T>(alpha.get() * sum + scaled(beta.get(), &c.values[k]));
  }
}

// A sparse vector: element k of its values stands at places[k].
template <class T>
struct SparseVector {
  long long nnz;
  Indices places;
  T* values;
};
template <class T>
inline SparseVector<T> vector_of(const cusparseSpVecDescr& vector) {
  return {vector.nnz, indices(vector.indices, vector.index_type, vector.base),
          static_cast<T*>(vector.values)};
}

template <class T>
__global__ void scale(long long n, Scalar<T> beta, T* y) {
  const long long i = thread_number();
  if (i < n) y[i] = static_cast<T>(scaled(beta.get(), &y[i]));
}
template <class T>
__global__ void add_sparse(Scalar<T> alpha, SparseVector<T> x, T* y) {
  const long long k = thread_number();
  if (k < x.nnz) y[x.places[k]] += static_cast<T>(alpha.get() * static_cast<double>(x.values[k]));
}
template <class T>
__global__ void gather(const T* y, SparseVector<T> x) {
  const long long k = thread_number();
  if (k < x.nnz) x.values[k] = y[x.places[k]];
}
template <class T>
__global__ void scatter(SparseVector<T> x, T* y) {
  const long long k = thread_number();
  if (k < x.nnz) y[x.places[k]] = x.values[k];
}
template <class T>
__global__ void dot(SparseVector<T> x, const T* y, T* result) {
  double sum = 0;
  for (long long k = 0; k < x.nnz; ++k)
    sum += static_cast<double>(x.values[k]) * static_cast<double>(y[x.places[k]]);
  *result = static_cast<T>(sum);
}

template <class T>
inline void multiply(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                     const cusparseSpMatDescr& a, Dense<T> b, const void* beta, Dense<T> c, int batch) {
  const Scalar<T> first = scalar<T>(handle, alpha), second = scalar<T>(handle, beta);
  if (c.rows * c.columns == 0) return;
  if (lines_are_rows(a, operation))
    multiply_rows<T><<<blocks_for(c.rows * c.columns), kBlock, 0, handle->stream>>>(
        first, lines_of<T>(a, batch), b, second, c);
  else
    multiply_columns<T>
        <<<blocks_for(c.columns), kBlock, 0, handle->stream>>>(first, lines_of<T>(a, batch), b, second, c);
}

}  // namespace cusparse

inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                                const void*, cusparseDnVecDescr_t, cudaDataType,
                                                cusparseSpMVAlg_t, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                                const void*, cusparseDnVecDescr_t, cudaDataType,
                                                cusparseSpMVAlg_t, void*) {
  return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t operation,
                                     const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstDnVecDescr_t x, const void* beta, cusparseDnVecDescr_t y,
                                     cudaDataType compute, cusparseSpMVAlg_t, void*) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != compute || x->type != compute || y->type != compute)
    cuset_unserved_call(cusparse::kOnlyReal);
  const bool plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
  if (x->size != (plain ? a->columns : a->rows) || y->size != (plain ? a->rows : a->columns))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return cusparse::with_type(compute, [&](auto number) {
    typedef decltype(number) T;
    cusparse::multiply<T>(handle, operation, alpha, *a, {static_cast<T*>(x->values), x->size, 1, 1, x->size},
                          beta, {static_cast<T*>(y->values), y->size, 1, 1, y->size}, 0);
  });
}

inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                                cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                                cusparseConstDnMatDescr_t, const void*, cusparseDnMatDescr_t,
                                                cudaDataType, cusparseSpMMAlg_t, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t,
                                                cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                                cusparseConstDnMatDescr_t, const void*, cusparseDnMatDescr_t,
                                                cudaDataType, cusparseSpMMAlg_t, void*) {
  return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                                     cusparseOperation_t op_b, const void* alpha, cusparseConstSpMatDescr_t a,
                                     cusparseConstDnMatDescr_t b, const void* beta, cusparseDnMatDescr_t c,
                                     cudaDataType compute, cusparseSpMMAlg_t, void*) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != compute || b->type != compute || c->type != compute)
    cuset_unserved_call(cusparse::kOnlyReal);
  const bool plain = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE;
  const bool plain_b = op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  if ((plain ? a->rows : a->columns) != c->rows || (plain_b ? b->columns : b->rows) != c->columns ||
      (plain ? a->columns : a->rows) != (plain_b ? b->rows : b->columns))
    return CUSPARSE_STATUS_INVALID_VALUE;
  return cusparse::with_type(compute, [&](auto number) {
    typedef decltype(number) T;
    for (int batch = 0; batch < c->batch; ++batch)
      cusparse::multiply<T>(handle, op_a, alpha, *a, cusparse::dense_of<T>(*b, op_b, batch), beta,
                            cusparse::dense_of<T>(*c, CUSPARSE_OPERATION_NON_TRANSPOSE, batch), batch);
  });
}

inline cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                                 cusparseOperation_t, const void*, cusparseConstDnMatDescr_t,
                                                 cusparseConstDnMatDescr_t, const void*, cusparseSpMatDescr_t,
                                                 cudaDataType, cusparseSDDMMAlg_t, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t handle, cusparseOperation_t,
                                                 cusparseOperation_t, const void*, cusparseConstDnMatDescr_t,
                                                 cusparseConstDnMatDescr_t, const void*, cusparseSpMatDescr_t,
                                                 cudaDataType, cusparseSDDMMAlg_t, void*) {
  return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseSDDMM(cusparseHandle_t handle, cusparseOperation_t op_a,
                                      cusparseOperation_t op_b, const void* alpha,
                                      cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                                      const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                      cusparseSDDMMAlg_t, void*) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != compute || b->type != compute || c->type != compute)
    cuset_unserved_call(cusparse::kOnlyReal);
  return cusparse::with_type(compute, [&](auto number) {
    typedef decltype(number) T;
    for (int batch = 0; batch < c->batch; ++batch) {
      const cusparse::Lines<T> lines = cusparse::lines_of<T>(*c, batch);
      cusparse::multiply_where_present<T>
          <<<cusparse::blocks_for(lines.count), cusparse::kBlock, 0, handle->stream>>>(
              cusparse::scalar<T>(handle, alpha), cusparse::dense_of<T>(*a, op_a, batch),
              cusparse::dense_of<T>(*b, op_b, batch), cusparse::scalar<T>(handle, beta), lines,
              c->format == CUSPARSE_FORMAT_CSC);
    }
  });
}

template <int = 0>
inline cusparseStatus_t cusparseAxpby(cusparseHandle_t handle, const void* alpha, cusparseConstSpVecDescr_t x,
                                      const void* beta, cusparseDnVecDescr_t y) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (x->type != y->type) cuset_unserved_call(cusparse::kOnlyReal);
  return cusparse::with_type(x->type, [&](auto number) {
    typedef decltype(number) T;
    T* const values = static_cast<T*>(y->values);
    if (y->size > 0)
      cusparse::scale<T><<<cusparse::blocks_for(y->size), cusparse::kBlock, 0, handle->stream>>>(
          y->size, cusparse::scalar<T>(handle, beta), values);
    if (x->nnz > 0)
      cusparse::add_sparse<T><<<cusparse::blocks_for(x->nnz), cusparse::kBlock, 0, handle->stream>>>(
          cusparse::scalar<T>(handle, alpha), cusparse::vector_of<T>(*x), values);
  });
}
template <int = 0>
inline cusparseStatus_t cusparseGather(cusparseHandle_t handle, cusparseConstDnVecDescr_t y,
                                       cusparseSpVecDescr_t x) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (x->nnz == 0) return CUSPARSE_STATUS_SUCCESS;
  return cusparse::with_type(x->type, [&](auto number) {
    typedef decltype(number) T;
    cusparse::gather<T><<<cusparse::blocks_for(x->nnz), cusparse::kBlock, 0, handle->stream>>>(
        static_cast<const T*>(y->values), cusparse::vector_of<T>(*x));
  });
}
template <int = 0>
inline cusparseStatus_t cusparseScatter(cusparseHandle_t handle, cusparseConstSpVecDescr_t x,
                                        cusparseDnVecDescr_t y) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (x->nnz == 0) return CUSPARSE_STATUS_SUCCESS;
  return cusparse::with_type(x->type, [&](auto number) {
    typedef decltype(number) T;
    cusparse::scatter<T><<<cusparse::blocks_for(x->nnz), cusparse::kBlock, 0, handle->stream>>>(
        cusparse::vector_of<T>(*x), static_cast<T*>(y->values));
  });
}

inline cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                                cusparseConstSpVecDescr_t, cusparseConstDnVecDescr_t,
                                                const void*, cudaDataType, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;  // where the result stands before it goes to the host
  return CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseSpVV(cusparseHandle_t handle, cusparseOperation_t,
                                     cusparseConstSpVecDescr_t x, cusparseConstDnVecDescr_t y, void* result,
                                     cudaDataType compute, void* buffer) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (x->type != compute || y->type != compute) cuset_unserved_call(cusparse::kOnlyReal);
  const bool on_device = handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
  return cusparse::with_type(compute, [&](auto number) {
    typedef decltype(number) T;
    T* const to = static_cast<T*>(on_device ? result : buffer);
    cusparse::dot<T>
        <<<1, 1, 0, handle->stream>>>(cusparse::vector_of<T>(*x), static_cast<const T*>(y->values), to);
    if (on_device) return;
    cudaMemcpyAsync(result, to, sizeof(T), cudaMemcpyDeviceToHost, handle->stream);
    cudaStreamSynchronize(handle->stream);
  });
}
