// cuSPARSE: the product of two sparse matrices in CSR (Gustavson's algorithm): some threads, each with a full row to sum up in,
// go over the rows of A twice: they count, then compute. C = alpha A B + beta C is stored with sorted columns.
#pragma once

#include "cuset_emulator/cusparse/conversions.h"

namespace cusparse {

constexpr int kRowWorkers = 8;

// What a thread has for itself: a sum and a mark for each column.
template <class T>
struct RowWork {
  double* sums;
  int* marks;  // the last row that touched the column, plus 1
  __device__ RowWork of(int worker, long long columns) const {
    return {sums + worker * columns, marks + worker * columns};
  }
};

template <class T>
__global__ void count_products(Lines<T> a, Lines<T> b, RowWork<T> work, long long* counts) {
  const RowWork<T> own = work.of(static_cast<int>(blockIdx.x), b.across);
  for (long long i = blockIdx.x; i < a.count; i += kRowWorkers) {
    long long count = 0;
    for (long long p = a.begin(i); p < a.begin(i + 1); ++p)
      for (long long q = b.begin(a.places[p]); q < b.begin(a.places[p] + 1); ++q) {
        const long long column = b.places[q];
        count += own.marks[column] != i + 1;
        own.marks[column] = static_cast<int>(i + 1);
      }
    counts[i] = count;
  }
}

// Columns and sums of each row from offsets[i] on; `found` and `results` are the product's own memory.
template <class T>
__global__ void sum_products(Scalar<T> alpha, Lines<T> a, Lines<T> b, RowWork<T> work,
                             const long long* offsets, ColumnOrder found, T* results) {
  const RowWork<T> own = work.of(static_cast<int>(blockIdx.x), b.across);
  for (long long i = blockIdx.x; i < a.count; i += kRowWorkers) {
    long long end = offsets[i];
    for (long long p = a.begin(i); p < a.begin(i + 1); ++p)
      for (long long q = b.begin(a.places[p]); q < b.begin(a.places[p] + 1); ++q) {
        const long long column = b.places[q];
        if (own.marks[column] != i + 1) {
          own.marks[column] = static_cast<int>(i + 1);
          own.sums[column] = 0;
          found.columns[end] = static_cast<int>(column);
          found.permutation[end] = 0;
          ++end;
        }
        own.sums[column] += static_cast<double>(a.values[p]) * static_cast<double>(b.values[q]);
      }
    found.sort(offsets[i], end - offsets[i]);
    for (long long k = offsets[i]; k < end; ++k)
      results[k] = static_cast<T>(alpha.get() * own.sums[found.columns[k]]);
  }
}

template <class T>
__global__ void copy_product(long long nnz, const int* columns, const T* results, Scalar<T> beta,
                             Lines<T> c) {
  const long long k = thread_number();
  if (k >= nnz) return;
  c.places.set(k, columns[k]);
  const double scale = beta.get();
  c.values[k] = static_cast<T>(static_cast<double>(results[k]) +
                               (scale == 0 ? 0 : scale * static_cast<double>(c.values[k])));
}

}  // namespace cusparse

// The product between its steps, in device memory of its own.
struct cusparseSpGEMMDescr {
  long long* offsets = nullptr;
  int *columns = nullptr, *spare = nullptr;
  void* values = nullptr;
};
typedef cusparseSpGEMMDescr* cusparseSpGEMMDescr_t;

inline cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* product) {
  return cusparse::give(product, cusparseSpGEMMDescr());
}
inline cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t product) {
  for (void* memory : {static_cast<void*>(product->offsets), static_cast<void*>(product->columns),
                       static_cast<void*>(product->spare), product->values})
    if (memory != nullptr) cudaFree(memory);
  delete product;
  return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t handle, cusparseOperation_t,
                                                      cusparseOperation_t, const void*,
                                                      cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                                      const void*, cusparseSpMatDescr_t, cudaDataType,
                                                      cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t,
                                                      size_t* bytes, void* buffer) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (buffer == nullptr) *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}

namespace cusparse {

// `buffer` holds the sums and marks of every worker.
template <class T>
inline cusparseStatus_t multiply_sparse(cusparseHandle_t handle, const void* alpha,
                                        const cusparseSpMatDescr& a, const cusparseSpMatDescr& b,
                                        cusparseSpMatDescr& c, cusparseSpGEMMDescr& product, void* buffer) {
  const Lines<T> first = lines_of<T>(a), second = lines_of<T>(b);
  const long long columns = b.columns, places = kRowWorkers * columns;
  const RowWork<T> work{static_cast<double*>(buffer),
                        reinterpret_cast<int*>(static_cast<double*>(buffer) + places)};
  long long nnz = 0;
  cudaError_t error = cudaMalloc(&product.offsets, (a.rows + 1) * sizeof(long long));
  if (error != cudaSuccess) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaMemsetAsync(work.marks, 0, places * sizeof(int), handle->stream);
  count_products<T><<<kRowWorkers, 1, 0, handle->stream>>>(first, second, work, product.offsets);
  sum_counts<<<1, 1, 0, handle->stream>>>(a.rows, product.offsets);
  cudaMemcpyAsync(&nnz, product.offsets + a.rows, sizeof(nnz), cudaMemcpyDeviceToHost, handle->stream);
  error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess) return status_of(error);
  if (cudaMalloc(&product.columns, (nnz + 1) * sizeof(int)) != cudaSuccess ||
      cudaMalloc(&product.spare, (nnz + 1) * sizeof(int)) != cudaSuccess ||
      cudaMalloc(&product.values, (nnz + 1) * sizeof(T)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaMemsetAsync(work.marks, 0, places * sizeof(int), handle->stream);
  sum_products<T><<<kRowWorkers, 1, 0, handle->stream>>>(
      scalar<T>(handle, alpha), first, second, work, product.offsets,
      ColumnOrder{product.columns, product.spare}, static_cast<T*>(product.values));
  c.nnz = nnz;
  return status_of(cudaPeekAtLastError());
}

}  // namespace cusparse

template <int = 0>
inline cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t handle, cusparseOperation_t op_a,
                                               cusparseOperation_t op_b, const void* alpha,
                                               cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                               const void*, cusparseSpMatDescr_t c, cudaDataType compute,
                                               cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product,
                                               size_t* bytes, void* buffer) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  const bool plain = op_a == CUSPARSE_OPERATION_NON_TRANSPOSE && op_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
  for (const cusparseSpMatDescr* matrix : {a, b, static_cast<cusparseConstSpMatDescr_t>(c)})
    if (!plain || matrix->format != CUSPARSE_FORMAT_CSR || matrix->type != compute)
      cuset_unserved_call(cusparse::kOnlyReal);
  if (a->columns != b->rows || c->rows != a->rows || c->columns != b->columns)
    return CUSPARSE_STATUS_INVALID_VALUE;
  if (buffer == nullptr) {
    *bytes = static_cast<size_t>(cusparse::kRowWorkers * b->columns) * (sizeof(double) + sizeof(int));
    return CUSPARSE_STATUS_SUCCESS;
  }
  cusparseStatus_t result = CUSPARSE_STATUS_SUCCESS;
  const cusparseStatus_t status = cusparse::with_type(compute, [&](auto number) {
    result = cusparse::multiply_sparse<decltype(number)>(handle, alpha, *a, *b, *c, *product, buffer);
  });
  return status == CUSPARSE_STATUS_SUCCESS ? result : status;
}

template <int = 0>
inline cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t handle, cusparseOperation_t, cusparseOperation_t,
                                            const void*, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                            const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                            cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t product) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (product->offsets == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  cusparse::copy_offsets<<<cusparse::blocks_for(c->rows + 1), cusparse::kBlock, 0, handle->stream>>>(
      c->rows, product->offsets, cusparse::indices(c->offsets, c->offset_type, c->base));
  if (c->nnz == 0) return cusparse::status_of(cudaPeekAtLastError());
  return cusparse::with_type(compute, [&](auto number) {
    typedef decltype(number) T;
    cusparse::copy_product<T><<<cusparse::blocks_for(c->nnz), cusparse::kBlock, 0, handle->stream>>>(
        c->nnz, product->columns, static_cast<const T*>(product->values), cusparse::scalar<T>(handle, beta),
        cusparse::lines_of<T>(*c));
  });
}
