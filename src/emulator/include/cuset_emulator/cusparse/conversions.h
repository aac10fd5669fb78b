// cuSPARSE: conversions between dense and sparse matrices and between formats, counting and sorting of elements.
#pragma once

#include "cuset_emulator/cusparse/types.h"

namespace cusparse {

template <class T>
__global__ void clear(Dense<T> to) {
  const long long t = thread_number();
  if (t < to.rows * to.columns) to.at(t / to.columns, t % to.columns) = 0;
}
// `to` lies so that its rows are the lines.
template <class T>
__global__ void spread(Lines<T> from, Dense<T> to) {
  const long long line = thread_number();
  if (line >= from.count) return;
  const long long end = from.begin(line + 1);
  for (long long k = from.begin(line); k < end; ++k) to.at(line, from.places[k]) = from.values[k];
}

template <class T>
__global__ void count_elements(Dense<T> from, long long* counts) {
  const long long line = thread_number();
  if (line >= from.rows) return;
  long long count = 0;
  for (long long j = 0; j < from.columns; ++j) count += from.at(line, j) != T(0);
  counts[line] = count;
}
// Counts become sums of those before, in place; the last place gets all.
inline __global__ void sum_counts(long long lines, long long* counts) {
  long long sum = 0;
  for (long long i = 0; i < lines; ++i) {
    const long long count = counts[i];
    counts[i] = sum;
    sum += count;
  }
  counts[lines] = sum;
}
inline __global__ void copy_offsets(long long lines, const long long* from, Indices to) {
  const long long i = thread_number();
  if (i <= lines) to.set(i, from[i]);
}
template <class T>
__global__ void collect(Dense<T> from, const long long* offsets, Lines<T> to) {
  const long long line = thread_number();
  if (line >= from.rows) return;
  long long k = offsets[line];
  for (long long j = 0; j < from.columns; ++j) {
    if (from.at(line, j) == T(0)) continue;
    to.places.set(k, j);
    to.values[k] = from.at(line, j);
    if (to.sorted_pairs) to.offsets.set(k, line);
    ++k;
  }
}

// The dense matrix with its rows where the sparse one has lines.
template <class T>
inline Dense<T> by_lines(const cusparseDnMatDescr& dense, const cusparseSpMatDescr& sparse) {
  return dense_of<T>(dense, sparse.format == CUSPARSE_FORMAT_CSC ? CUSPARSE_OPERATION_TRANSPOSE
                                                                 : CUSPARSE_OPERATION_NON_TRANSPOSE);
}

// Elements of CSR in order of their columns: a line's elements from `begin` on.
struct ColumnOrder {
  int *columns, *permutation;
  __device__ void swap(long long a, long long b) const {
    const int column = columns[a], place = permutation[a];
    columns[a] = columns[b], permutation[a] = permutation[b];
    columns[b] = column, permutation[b] = place;
  }
  // Makes the heap below `root` of `count` elements from `begin` a heap again.
  __device__ void sift(long long begin, long long root, long long count) const {
    for (long long child = 2 * root + 1; child < count; child = 2 * root + 1) {
      if (child + 1 < count && columns[begin + child] < columns[begin + child + 1]) ++child;
      if (columns[begin + root] >= columns[begin + child]) return;
      swap(begin + root, begin + child);
      root = child;
    }
  }
  __device__ void sort(long long begin, long long count) const {
    for (long long root = count / 2 - 1; root >= 0; --root) sift(begin, root, count);
    for (long long last = count - 1; last > 0; --last) {
      swap(begin, begin + last);
      sift(begin, 0, last);
    }
  }
};

inline __global__ void sort_lines(int lines, const int* offsets, int base, ColumnOrder order) {
  const long long line = thread_number();
  if (line < lines) order.sort(offsets[line] - base, offsets[line + 1] - offsets[line]);
}

// CSR to CSC by one thread: counts of columns, their sums, then each element to its column's next place.
template <class T>
__global__ void transpose(Lines<T> from, Lines<T> to, bool with_values) {
  for (long long j = 0; j <= to.count; ++j) to.offsets.set(j, 0);
  for (long long k = 0; k < from.nnz; ++k)
    to.offsets.set(from.places[k] + 1, to.offsets[from.places[k] + 1] + 1);
  for (long long j = 0; j < to.count; ++j) to.offsets.set(j + 1, to.offsets[j] + to.offsets[j + 1]);
  for (long long line = 0; line < from.count; ++line)
    for (long long k = from.begin(line); k < from.begin(line + 1); ++k) {
      const long long place = to.offsets[from.places[k]];
      to.offsets.set(from.places[k], place + 1);
      to.places.set(place, line);
      if (with_values) to.values[place] = from.values[k];
    }
  for (long long j = to.count; j > 0; --j) to.offsets.set(j, to.offsets[j - 1]);
  to.offsets.set(0, 0);
}

inline __global__ void spread_offsets(const int* offsets, int lines, int base, int* pairs) {
  const long long line = thread_number();
  if (line >= lines) return;
  for (long long k = offsets[line] - base; k < offsets[line + 1] - base; ++k)
    pairs[k] = static_cast<int>(line) + base;
}
inline __global__ void find_offsets(const int* pairs, int nnz, int lines, int base, int* offsets) {
  const long long line = thread_number();
  if (line > lines) return;
  const Lines<char> sorted = {lines, 0, nnz, true, {const_cast<int*>(pairs), false, base}, {}, nullptr};
  offsets[line] = static_cast<int>(sorted.begin(line)) + base;
}
inline __global__ void number_places(int n, int* places) {
  const long long i = thread_number();
  if (i < n) places[i] = static_cast<int>(i);
}

}  // namespace cusparse

inline cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t handle, cusparseConstSpMatDescr_t,
                                                         cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t,
                                                         size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseSparseToDense(cusparseHandle_t handle, cusparseConstSpMatDescr_t a,
                                              cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void*) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != b->type) cuset_unserved_call(cusparse::kOnlyReal);
  if (a->rows != b->rows || a->columns != b->columns) return CUSPARSE_STATUS_INVALID_VALUE;
  return cusparse::with_type(a->type, [&](auto number) {
    typedef decltype(number) T;
    const cusparse::Dense<T> to = cusparse::by_lines<T>(*b, *a);
    const cusparse::Lines<T> from = cusparse::lines_of<T>(*a);
    cusparse::clear<T>
        <<<cusparse::blocks_for(to.rows * to.columns), cusparse::kBlock, 0, handle->stream>>>(to);
    cusparse::spread<T><<<cusparse::blocks_for(from.count), cusparse::kBlock, 0, handle->stream>>>(from, to);
  });
}

// The buffer keeps the offsets of the lines between the two steps.
inline cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t handle, cusparseConstDnMatDescr_t,
                                                         cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                                         size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = static_cast<size_t>((b->format == CUSPARSE_FORMAT_CSC ? b->columns : b->rows) + 1) * 8;
  return CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                       cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                                       void* buffer) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != b->type) cuset_unserved_call(cusparse::kOnlyReal);
  long long* const counts = static_cast<long long*>(buffer);
  long long lines = 0;
  const cusparseStatus_t status = cusparse::with_type(a->type, [&](auto number) {
    typedef decltype(number) T;
    const cusparse::Dense<T> from = cusparse::by_lines<T>(*a, *b);
    lines = from.rows;
    cusparse::count_elements<T>
        <<<cusparse::blocks_for(lines), cusparse::kBlock, 0, handle->stream>>>(from, counts);
    cusparse::sum_counts<<<1, 1, 0, handle->stream>>>(lines, counts);
  });
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  if (b->format != CUSPARSE_FORMAT_COO)
    cusparse::copy_offsets<<<cusparse::blocks_for(lines + 1), cusparse::kBlock, 0, handle->stream>>>(
        lines, counts, cusparse::indices(b->offsets, b->offset_type, b->base));
  long long nnz = 0;
  cudaMemcpyAsync(&nnz, counts + lines, sizeof(nnz), cudaMemcpyDeviceToHost, handle->stream);
  const cudaError_t error = cudaStreamSynchronize(handle->stream);
  b->nnz = nnz;
  return cusparse::status_of(error);
}
template <int = 0>
inline cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t handle, cusparseConstDnMatDescr_t a,
                                                      cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t,
                                                      void* buffer) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return cusparse::with_type(a->type, [&](auto number) {
    typedef decltype(number) T;
    const cusparse::Dense<T> from = cusparse::by_lines<T>(*a, *b);
    cusparse::collect<T><<<cusparse::blocks_for(from.rows), cusparse::kBlock, 0, handle->stream>>>(
        from, static_cast<const long long*>(buffer), cusparse::lines_of<T>(*b));
  });
}

inline cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t handle, int, int, int, const void*,
                                                      const int*, const int*, void*, int*, int*, cudaDataType,
                                                      cusparseAction_t, cusparseIndexBase_t,
                                                      cusparseCsr2CscAlg_t, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t handle, int m, int n, int nnz, const void* values,
                                           const int* row_offsets, const int* columns, void* csc_values,
                                           int* column_offsets, int* rows, cudaDataType type,
                                           cusparseAction_t action, cusparseIndexBase_t base,
                                           cusparseCsr2CscAlg_t, void*) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  return cusparse::with_type(type, [&](auto number) {
    typedef decltype(number) T;
    const auto narrow = [base](const int* data) { return cusparse::indices(data, CUSPARSE_INDEX_32I, base); };
    cusparse::transpose<T><<<1, 1, 0, handle->stream>>>(
        cusparse::Lines<T>{m, n, nnz, false, narrow(row_offsets), narrow(columns),
                           static_cast<T*>(const_cast<void*>(values))},
        cusparse::Lines<T>{n, m, nnz, false, narrow(column_offsets), narrow(rows),
                           static_cast<T*>(csc_values)},
        action == CUSPARSE_ACTION_NUMERIC);
  });
}

inline cusparseStatus_t cusparseXcsrsort_bufferSizeExt(cusparseHandle_t handle, int, int, int, const int*,
                                                       const int*, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseXcsrsort(cusparseHandle_t handle, int m, int, int,
                                         const cusparseMatDescr_t matrix, const int* offsets, int* columns,
                                         int* permutation, void*) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m == 0) return CUSPARSE_STATUS_SUCCESS;
  cusparse::sort_lines<<<cusparse::blocks_for(m), cusparse::kBlock, 0, handle->stream>>>(
      m, offsets, matrix->base, cusparse::ColumnOrder{columns, permutation});
  return cusparse::status_of(cudaPeekAtLastError());
}
template <int = 0>
inline cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t handle, int n, int* places) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (n == 0) return CUSPARSE_STATUS_SUCCESS;
  cusparse::number_places<<<cusparse::blocks_for(n), cusparse::kBlock, 0, handle->stream>>>(n, places);
  return cusparse::status_of(cudaPeekAtLastError());
}
template <int = 0>
inline cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t handle, const int* offsets, int, int m, int* rows,
                                         cusparseIndexBase_t base) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (m == 0) return CUSPARSE_STATUS_SUCCESS;
  cusparse::spread_offsets<<<cusparse::blocks_for(m), cusparse::kBlock, 0, handle->stream>>>(offsets, m, base,
                                                                                             rows);
  return cusparse::status_of(cudaPeekAtLastError());
}
template <int = 0>
inline cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t handle, const int* rows, int nnz, int m,
                                         int* offsets, cusparseIndexBase_t base) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  cusparse::find_offsets<<<cusparse::blocks_for(m + 1), cusparse::kBlock, 0, handle->stream>>>(rows, nnz, m,
                                                                                               base, offsets);
  return cusparse::status_of(cudaPeekAtLastError());
}

namespace cusparse {

inline __global__ void count_in_int(const long long* counts, long long lines, int* per_line) {
  const long long i = thread_number();
  if (i < lines) per_line[i] = static_cast<int>(counts[i]);
}
inline __global__ void total_in_int(const long long* counts, long long lines, int* total) {
  *total = static_cast<int>(counts[lines]);
}

// Elements of each row or column of a dense matrix, stored by columns, and of all.
template <class T>
inline cusparseStatus_t count_dense(cusparseHandle_t handle, Dense<T> lines, int* per_line, int* total) {
  long long* counts = nullptr;
  if (cudaMalloc(&counts, (lines.rows + 1) * sizeof(long long)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  const unsigned int blocks = blocks_for(lines.rows);
  count_elements<T><<<blocks, kBlock, 0, handle->stream>>>(lines, counts);
  count_in_int<<<blocks, kBlock, 0, handle->stream>>>(counts, lines.rows, per_line);
  sum_counts<<<1, 1, 0, handle->stream>>>(lines.rows, counts);
  if (handle->mode == CUSPARSE_POINTER_MODE_DEVICE) {
    total_in_int<<<1, 1, 0, handle->stream>>>(counts, lines.rows, total);
  } else {
    long long all = 0;
    cudaMemcpyAsync(&all, counts + lines.rows, sizeof(all), cudaMemcpyDeviceToHost, handle->stream);
    cudaStreamSynchronize(handle->stream);
    *total = static_cast<int>(all);
  }
  cudaFree(counts);
  return status_of(cudaPeekAtLastError());
}

}  // namespace cusparse

#define CUSET_CUSPARSE_NNZ(letter, type)                                                                    \
  template <int = 0>                                                                                        \
  inline cusparseStatus_t cusparse##letter##nnz(cusparseHandle_t handle, cusparseDirection_t direction,     \
                                                int m, int n, const cusparseMatDescr_t, const type* a,      \
                                                int lda, int* per_line, int* total) {                       \
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;                                          \
    type* const values = const_cast<type*>(a);                                                              \
    const bool by_row = direction == CUSPARSE_DIRECTION_ROW;                                                \
    return cusparse::count_dense(                                                                           \
        handle,                                                                                             \
        by_row ? cusparse::Dense<type>{values, m, n, 1, lda} : cusparse::Dense<type>{values, n, m, lda, 1}, \
        per_line, total);                                                                                   \
  }
CUSET_CUSPARSE_NNZ(S, float)
CUSET_CUSPARSE_NNZ(D, double)
#undef CUSET_CUSPARSE_NNZ
