// cuSPARSE: triangular systems (SpSV, SpSM) and the incomplete factorization ILU(0), by substitution: a thread for each
// right-hand side.
#pragma once

#include "cuset_emulator/cusparse/types.h"

namespace cusparse {

struct Triangle {
  bool upper, unit;
};

// The diagonal element of line i, or 1.
template <class T>
__device__ inline double diagonal_of(const Lines<T>& a, long long i, bool unit) {
  if (unit) return 1;
  const long long end = a.begin(i + 1);
  for (long long k = a.begin(i); k < end; ++k)
    if (a.places[k] == i) return a.values[k];
  return 0;
}

__device__ inline bool is_beside_diagonal(long long i, long long j, bool upper) {
  return upper ? j > i : j < i;
}

// Lines are the rows of the system: each unknown once those it needs are known.
template <class T>
__global__ void solve_rows(Scalar<T> alpha, Lines<T> a, Triangle triangle, Dense<T> b, Dense<T> x) {
  const long long column = thread_number();
  if (column >= x.columns) return;
  for (long long step = 0; step < a.count; ++step) {
    const long long i = triangle.upper ? a.count - 1 - step : step, end = a.begin(i + 1);
    double rest = alpha.get() * static_cast<double>(b.at(i, column));
    for (long long k = a.begin(i); k < end; ++k)
      if (is_beside_diagonal(i, a.places[k], triangle.upper))
        rest -= static_cast<double>(a.values[k]) * static_cast<double>(x.at(a.places[k], column));
    x.at(i, column) = static_cast<T>(rest / diagonal_of(a, i, triangle.unit));
  }
}

// Lines are the columns of the system: each known value is taken out of the rows that need it. `triangle` is that of the lines,
// so the system is the other one.
template <class T>
__global__ void solve_columns(Scalar<T> alpha, Lines<T> a, Triangle triangle, Dense<T> b, Dense<T> x) {
  const long long column = thread_number();
  if (column >= x.columns) return;
  for (long long i = 0; i < a.count; ++i)
    x.at(i, column) = static_cast<T>(alpha.get() * static_cast<double>(b.at(i, column)));
  for (long long step = 0; step < a.count; ++step) {
    const long long i = triangle.upper ? step : a.count - 1 - step, end = a.begin(i + 1);
    const double known = static_cast<double>(x.at(i, column)) / diagonal_of(a, i, triangle.unit);
    x.at(i, column) = static_cast<T>(known);
    for (long long k = a.begin(i); k < end; ++k)
      if (is_beside_diagonal(i, a.places[k], triangle.upper))
        x.at(a.places[k], column) -= static_cast<T>(known * static_cast<double>(a.values[k]));
  }
}

template <class T>
inline void solve(cusparseHandle_t handle, cusparseOperation_t operation, const void* alpha,
                  const cusparseSpMatDescr& a, Dense<T> b, Dense<T> x) {
  const Lines<T> lines = lines_of<T>(a);
  // The lines of CSC are columns, in which an upper triangle stands before the diagonal.
  const bool upper = (a.fill == CUSPARSE_FILL_MODE_UPPER) != (a.format == CUSPARSE_FORMAT_CSC);
  const Triangle triangle{upper, a.diagonal == CUSPARSE_DIAG_TYPE_UNIT};
  if (x.rows * x.columns == 0) return;
  if (lines_are_rows(a, operation))
    solve_rows<T><<<blocks_for(x.columns), kBlock, 0, handle->stream>>>(scalar<T>(handle, alpha), lines,
                                                                        triangle, b, x);
  else
    solve_columns<T><<<blocks_for(x.columns), kBlock, 0, handle->stream>>>(scalar<T>(handle, alpha), lines,
                                                                           triangle, b, x);
}

// A = L U in the places that A has, row by row. *pivot becomes the first row without a pivot, or stays -1.
template <class T>
__global__ void factor_incomplete(Lines<T> a, int* pivot) {
  for (long long i = 0; i < a.count; ++i) {
    const long long begin = a.begin(i), end = a.begin(i + 1);
    for (long long k = begin; k < end; ++k) {
      const long long row = a.places[k];
      if (row >= i) continue;
      const double factor = static_cast<double>(a.values[k]) / diagonal_of(a, row, false);
      a.values[k] = static_cast<T>(factor);
      for (long long p = a.begin(row); p < a.begin(row + 1); ++p) {
        if (a.places[p] <= row) continue;
        for (long long q = begin; q < end; ++q)
          if (a.places[q] == a.places[p])
            a.values[q] -= static_cast<T>(factor * static_cast<double>(a.values[p]));
      }
    }
    if (*pivot < 0 && diagonal_of(a, i, false) == 0) *pivot = static_cast<int>(i) + a.places.base;
  }
}

}  // namespace cusparse

struct cusparseSpSVDescr {};
typedef cusparseSpSVDescr* cusparseSpSVDescr_t;
// SpSM_solve is given no right-hand buffer, so nothing is kept here either.
struct cusparseSpSMDescr {};
typedef cusparseSpSMDescr* cusparseSpSMDescr_t;

inline cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* descriptor) {
  return cusparse::give(descriptor, cusparseSpSVDescr());
}
inline cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t handle, cusparseOperation_t, const void*,
                                                cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                                cusparseSpSVDescr_t, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t handle, cusparseOperation_t, const void*,
                                              cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                              cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                              cusparseSpSVDescr_t, void*) {
  return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t handle, cusparseOperation_t operation,
                                           const void* alpha, cusparseConstSpMatDescr_t a,
                                           cusparseConstDnVecDescr_t x, cusparseDnVecDescr_t y,
                                           cudaDataType compute, cusparseSpSVAlg_t, cusparseSpSVDescr_t) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != compute || x->type != compute || y->type != compute)
    cuset_unserved_call(cusparse::kOnlyReal);
  if (a->rows != a->columns || x->size != a->rows || y->size != a->rows) return CUSPARSE_STATUS_INVALID_VALUE;
  return cusparse::with_type(compute, [&](auto number) {
    typedef decltype(number) T;
    cusparse::solve<T>(handle, operation, alpha, *a, {static_cast<T*>(x->values), x->size, 1, 1, x->size},
                       {static_cast<T*>(y->values), y->size, 1, 1, y->size});
  });
}

inline cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* descriptor) {
  return cusparse::give(descriptor, cusparseSpSMDescr());
}
inline cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t handle, cusparseOperation_t,
                                                cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                                cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
                                                cusparseSpSMAlg_t, cusparseSpSMDescr_t, size_t* bytes) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *bytes = 8;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t handle, cusparseOperation_t,
                                              cusparseOperation_t, const void*, cusparseConstSpMatDescr_t,
                                              cusparseConstDnMatDescr_t, cusparseDnMatDescr_t, cudaDataType,
                                              cusparseSpSMAlg_t, cusparseSpSMDescr_t, void*) {
  return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;
}
template <int = 0>
inline cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t handle, cusparseOperation_t op_a,
                                           cusparseOperation_t op_b, const void* alpha,
                                           cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                           cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpSMAlg_t,
                                           cusparseSpSMDescr_t) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (a->type != compute || b->type != compute || c->type != compute)
    cuset_unserved_call(cusparse::kOnlyReal);
  if (a->rows != a->columns || c->rows != a->rows) return CUSPARSE_STATUS_INVALID_VALUE;
  return cusparse::with_type(compute, [&](auto number) {
    typedef decltype(number) T;
    cusparse::solve<T>(handle, op_a, alpha, *a, cusparse::dense_of<T>(*b, op_b),
                       cusparse::dense_of<T>(*c, CUSPARSE_OPERATION_NON_TRANSPOSE));
  });
}

struct csrilu02Info {
  int* pivot = nullptr;  // on the device
};
typedef csrilu02Info* csrilu02Info_t;

inline cusparseStatus_t cusparseCreateCsrilu02Info(csrilu02Info_t* info) {
  return cusparse::give(info, csrilu02Info());
}
inline cusparseStatus_t cusparseDestroyCsrilu02Info(csrilu02Info_t info) {
  if (info != nullptr && info->pivot != nullptr) cudaFree(info->pivot);
  delete info;
  return CUSPARSE_STATUS_SUCCESS;
}
// The first row without a pivot to `position`, or -1.
inline cusparseStatus_t cusparseXcsrilu02_zeroPivot(cusparseHandle_t handle, csrilu02Info_t info,
                                                    int* position) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *position = -1;
  if (info->pivot == nullptr) return CUSPARSE_STATUS_SUCCESS;
  cudaMemcpyAsync(position, info->pivot, sizeof(int), cudaMemcpyDeviceToHost, handle->stream);
  if (cudaStreamSynchronize(handle->stream) != cudaSuccess) return CUSPARSE_STATUS_EXECUTION_FAILED;
  return *position < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

namespace cusparse {

template <class T>
inline cusparseStatus_t factor_csr(cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr* matrix,
                                   T* values, const int* offsets, const int* columns, csrilu02Info_t info) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  if (info->pivot == nullptr && cudaMalloc(&info->pivot, sizeof(int)) != cudaSuccess)
    return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaMemsetAsync(info->pivot, 0xFF, sizeof(int), handle->stream);
  factor_incomplete<T>
      <<<1, 1, 0, handle->stream>>>({m, m, nnz, false, indices(offsets, CUSPARSE_INDEX_32I, matrix->base),
                                     indices(columns, CUSPARSE_INDEX_32I, matrix->base), values},
                                    info->pivot);
  return status_of(cudaPeekAtLastError());
}

}  // namespace cusparse

#define CUSET_CUSPARSE_ILU(letter, type)                                                                     \
  inline cusparseStatus_t cusparse##letter##csrilu02_bufferSize(cusparseHandle_t handle, int, int,           \
                                                                const cusparseMatDescr_t, type*, const int*, \
                                                                const int*, csrilu02Info_t, int* bytes) {    \
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;                                           \
    *bytes = 8;                                                                                              \
    return CUSPARSE_STATUS_SUCCESS;                                                                          \
  }                                                                                                          \
  inline cusparseStatus_t cusparse##letter##csrilu02_analysis(                                               \
      cusparseHandle_t handle, int, int, const cusparseMatDescr_t, const type*, const int*, const int*,      \
      csrilu02Info_t, cusparseSolvePolicy_t, void*) {                                                        \
    return handle == nullptr ? CUSPARSE_STATUS_NOT_INITIALIZED : CUSPARSE_STATUS_SUCCESS;                    \
  }                                                                                                          \
  template <int = 0>                                                                                         \
  inline cusparseStatus_t cusparse##letter##csrilu02(                                                        \
      cusparseHandle_t handle, int m, int nnz, const cusparseMatDescr_t matrix, type* values,                \
      const int* offsets, const int* columns, csrilu02Info_t info, cusparseSolvePolicy_t, void*) {           \
    return cusparse::factor_csr(handle, m, nnz, matrix, values, offsets, columns, info);                     \
  }
CUSET_CUSPARSE_ILU(S, float)
CUSET_CUSPARSE_ILU(D, double)
#undef CUSET_CUSPARSE_ILU
