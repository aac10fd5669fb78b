// cuSPARSE: status, handles, descriptors of vectors and matrices; and what its calls share.
#pragma once

#include <cstdint>

#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  CUSPARSE_STATUS_SUCCESS = 0,
  CUSPARSE_STATUS_NOT_INITIALIZED = 1,
  CUSPARSE_STATUS_ALLOC_FAILED = 2,
  CUSPARSE_STATUS_INVALID_VALUE = 3,
  CUSPARSE_STATUS_ARCH_MISMATCH = 4,
  CUSPARSE_STATUS_MAPPING_ERROR = 5,
  CUSPARSE_STATUS_EXECUTION_FAILED = 6,
  CUSPARSE_STATUS_INTERNAL_ERROR = 7,
  CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
  CUSPARSE_STATUS_ZERO_PIVOT = 9,
  CUSPARSE_STATUS_NOT_SUPPORTED = 10,
  CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;

typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum { CUSPARSE_ACTION_SYMBOLIC = 0, CUSPARSE_ACTION_NUMERIC = 1 } cusparseAction_t;
typedef enum {
  CUSPARSE_MATRIX_TYPE_GENERAL = 0,
  CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
  CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
  CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_FILL_MODE_LOWER = 0, CUSPARSE_FILL_MODE_UPPER = 1 } cusparseFillMode_t;
typedef enum { CUSPARSE_DIAG_TYPE_NON_UNIT = 0, CUSPARSE_DIAG_TYPE_UNIT = 1 } cusparseDiagType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum {
  CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
  CUSPARSE_OPERATION_TRANSPOSE = 1,
  CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum { CUSPARSE_DIRECTION_ROW = 0, CUSPARSE_DIRECTION_COLUMN = 1 } cusparseDirection_t;
typedef enum {
  CUSPARSE_SOLVE_POLICY_NO_LEVEL = 0,
  CUSPARSE_SOLVE_POLICY_USE_LEVEL = 1
} cusparseSolvePolicy_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 } cusparseFormat_t;
typedef enum { CUSPARSE_SPMAT_FILL_MODE, CUSPARSE_SPMAT_DIAG_TYPE } cusparseSpMatAttribute_t;

// The algorithms of a call are one and the same here.
typedef enum {
  CUSPARSE_SPMV_ALG_DEFAULT = 0,
  CUSPARSE_SPMV_COO_ALG1 = 1,
  CUSPARSE_SPMV_CSR_ALG1 = 2,
  CUSPARSE_SPMV_CSR_ALG2 = 3,
  CUSPARSE_SPMV_COO_ALG2 = 4,
  CUSPARSE_MV_ALG_DEFAULT = 0,
  CUSPARSE_CSRMV_ALG1 = 2,
  CUSPARSE_CSRMV_ALG2 = 3
} cusparseSpMVAlg_t;
typedef enum {
  CUSPARSE_SPMM_ALG_DEFAULT = 0,
  CUSPARSE_SPMM_COO_ALG1 = 1,
  CUSPARSE_SPMM_COO_ALG2 = 2,
  CUSPARSE_SPMM_COO_ALG3 = 3,
  CUSPARSE_SPMM_CSR_ALG1 = 4,
  CUSPARSE_SPMM_COO_ALG4 = 5,
  CUSPARSE_SPMM_CSR_ALG2 = 6,
  CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;
typedef enum {
  CUSPARSE_SPGEMM_DEFAULT = 0,
  CUSPARSE_SPGEMM_CSR_ALG_DETERMINITIC = 1,
  CUSPARSE_SPGEMM_CSR_ALG_NONDETERMINITIC = 2,
  CUSPARSE_SPGEMM_ALG1 = 3,
  CUSPARSE_SPGEMM_ALG2 = 4,
  CUSPARSE_SPGEMM_ALG3 = 5
} cusparseSpGEMMAlg_t;
typedef enum { CUSPARSE_SPSV_ALG_DEFAULT = 0 } cusparseSpSVAlg_t;
typedef enum { CUSPARSE_SPSM_ALG_DEFAULT = 0 } cusparseSpSMAlg_t;
typedef enum { CUSPARSE_SDDMM_ALG_DEFAULT = 0 } cusparseSDDMMAlg_t;
typedef enum { CUSPARSE_SPARSETODENSE_ALG_DEFAULT = 0 } cusparseSparseToDenseAlg_t;
typedef enum { CUSPARSE_DENSETOSPARSE_ALG_DEFAULT = 0 } cusparseDenseToSparseAlg_t;
typedef enum {
  CUSPARSE_CSR2CSC_ALG_DEFAULT = 1,
  CUSPARSE_CSR2CSC_ALG1 = 1,
  CUSPARSE_CSR2CSC_ALG2 = 2
} cusparseCsr2CscAlg_t;

struct cusparseContext {
  cudaStream_t stream = nullptr;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_HOST;
};
typedef cusparseContext* cusparseHandle_t;

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
typedef cusparseMatDescr* cusparseMatDescr_t;

struct cusparseDnVecDescr {
  int64_t size;
  void* values;
  cudaDataType type;
};
struct cusparseSpVecDescr {
  int64_t size, nnz;
  void *indices, *values;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
};
struct cusparseDnMatDescr {
  int64_t rows, columns, ld;
  void* values;
  cudaDataType type;
  cusparseOrder_t order;
  int batch = 1;
  int64_t stride = 0;
};
// `offsets` are those of rows (CSR) or columns (CSC), or the rows themselves (COO), in order.
struct cusparseSpMatDescr {
  cusparseFormat_t format;
  int64_t rows, columns, nnz;
  void *offsets, *indices, *values;
  cusparseIndexType_t offset_type, index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  int batch = 1;
  int64_t offsets_stride = 0, values_stride = 0;
};
typedef cusparseDnVecDescr* cusparseDnVecDescr_t;
typedef cusparseSpVecDescr* cusparseSpVecDescr_t;
typedef cusparseDnMatDescr* cusparseDnMatDescr_t;
typedef cusparseSpMatDescr* cusparseSpMatDescr_t;
typedef const cusparseDnVecDescr* cusparseConstDnVecDescr_t;
typedef const cusparseSpVecDescr* cusparseConstSpVecDescr_t;
typedef const cusparseDnMatDescr* cusparseConstDnMatDescr_t;
typedef const cusparseSpMatDescr* cusparseConstSpMatDescr_t;

namespace cusparse {

constexpr int kBlock = 128;
constexpr const char* kOnlyReal = "cuSPARSE of types other than float and double, or of several types";

// alpha or beta: a value, or where the handle says so, the address of one on the device.
template <class T>
struct Scalar {
  T value;
  const T* address;
  __device__ double get() const { return address != nullptr ? *address : value; }
};
template <class T>
inline Scalar<T> scalar(cusparseHandle_t handle, const void* given) {
  const bool on_device = handle->mode == CUSPARSE_POINTER_MODE_DEVICE;
  const T* const typed = static_cast<const T*>(given);
  return {on_device ? T(0) : *typed, on_device ? typed : nullptr};
}

inline cusparseStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}
inline unsigned int blocks_for(long long threads) {
  return static_cast<unsigned int>((threads + kBlock - 1) / kBlock);
}
__device__ inline long long thread_number() {
  return blockIdx.x * static_cast<long long>(blockDim.x) + threadIdx.x;
}

// Calls `work` with a number of the type, float or double.
template <class Work>
inline cusparseStatus_t with_type(cudaDataType type, Work work) {
  if (type == CUDA_R_32F)
    work(0.0f);
  else if (type == CUDA_R_64F)
    work(0.0);
  else
    cuset_unserved_call(kOnlyReal);
  return status_of(cudaPeekAtLastError());
}

// Indices of 32 or 64 bits, counted from `base`.
struct Indices {
  void* data;
  bool wide;
  int base;
  __device__ long long operator[](long long i) const {
    return (wide ? static_cast<const long long*>(data)[i] : static_cast<const int*>(data)[i]) - base;
  }
  __device__ void set(long long i, long long value) const {
    if (wide)
      static_cast<long long*>(data)[i] = value + base;
    else
      static_cast<int*>(data)[i] = static_cast<int>(value + base);
  }
};
inline Indices indices(const void* data, cusparseIndexType_t type, int base) {
  return {const_cast<void*>(data), type == CUSPARSE_INDEX_64I, base};
}

// A sparse matrix by lines: the rows of CSR and COO, the columns of CSC.
template <class T>
struct Lines {
  long long count, across, nnz;  // lines, and how many elements a full one has
  bool sorted_pairs;             // COO: `offsets` holds the line of each element
  Indices offsets, places;
  T* values;

  // Where line `line` begins; of the line behind the last, the end.
  __device__ long long begin(long long line) const {
    if (!sorted_pairs) return offsets[line];
    long long low = 0, high = nnz;
    while (low < high) {
      const long long middle = (low + high) / 2;
      if (offsets[middle] < line)
        low = middle + 1;
      else
        high = middle;
    }
    return low;
  }
};

inline int64_t index_bytes(cusparseIndexType_t type) { return type == CUSPARSE_INDEX_64I ? 8 : 4; }

template <class T>
inline Lines<T> lines_of(const cusparseSpMatDescr& matrix, int batch = 0) {
  const bool by_columns = matrix.format == CUSPARSE_FORMAT_CSC;
  char* const offsets =
      static_cast<char*>(matrix.offsets) + batch * matrix.offsets_stride * index_bytes(matrix.offset_type);
  char* const places =
      static_cast<char*>(matrix.indices) + batch * matrix.values_stride * index_bytes(matrix.index_type);
  return {by_columns ? matrix.columns : matrix.rows,
          by_columns ? matrix.rows : matrix.columns,
          matrix.nnz,
          matrix.format == CUSPARSE_FORMAT_COO,
          indices(offsets, matrix.offset_type, matrix.base),
          indices(places, matrix.index_type, matrix.base),
          static_cast<T*>(matrix.values) + batch * matrix.values_stride};
}

// Whether the lines of `matrix` are the rows of op(matrix).
inline bool lines_are_rows(const cusparseSpMatDescr& matrix, cusparseOperation_t operation) {
  return (matrix.format == CUSPARSE_FORMAT_CSC) == (operation != CUSPARSE_OPERATION_NON_TRANSPOSE);
}

// Element (i, j) of op(B) is at i * down + j * right.
template <class T>
struct Dense {
  T* values;
  long long rows, columns, down, right;
  __device__ T& at(long long i, long long j) const { return values[i * down + j * right]; }
};
template <class T>
inline Dense<T> dense_of(const cusparseDnMatDescr& matrix, cusparseOperation_t operation, int batch = 0) {
  const bool by_columns = matrix.order == CUSPARSE_ORDER_COL;
  T* const values = static_cast<T*>(matrix.values) + batch * matrix.stride;
  const long long down = by_columns ? 1 : matrix.ld, right = by_columns ? matrix.ld : 1;
  if (operation == CUSPARSE_OPERATION_NON_TRANSPOSE)
    return {values, matrix.rows, matrix.columns, down, right};
  return {values, matrix.columns, matrix.rows, right, down};
}

template <class Descriptor>
inline cusparseStatus_t give(Descriptor** to, const Descriptor& value) {
  if (to == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;
  *to = new Descriptor(value);
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace cusparse
