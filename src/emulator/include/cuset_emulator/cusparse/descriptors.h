// cuSPARSE: making, asking and destroying handles and descriptors.
#pragma once

#include "cuset_emulator/cusparse/types.h"

inline cusparseStatus_t cusparseCreate(cusparseHandle_t* handle) {
  return cusparse::give(handle, cusparseContext());
}
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int* version) {
  if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;
  *version = 12500;
  return CUSPARSE_STATUS_SUCCESS;
}

#define CUSET_CUSPARSE_PROPERTY(name, type, member)                                 \
  inline cusparseStatus_t cusparseSet##name(cusparseHandle_t handle, type value) {  \
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;                  \
    handle->member = value;                                                         \
    return CUSPARSE_STATUS_SUCCESS;                                                 \
  }                                                                                 \
  inline cusparseStatus_t cusparseGet##name(cusparseHandle_t handle, type* value) { \
    if (handle == nullptr) return CUSPARSE_STATUS_NOT_INITIALIZED;                  \
    *value = handle->member;                                                        \
    return CUSPARSE_STATUS_SUCCESS;                                                 \
  }
CUSET_CUSPARSE_PROPERTY(Stream, cudaStream_t, stream)
CUSET_CUSPARSE_PROPERTY(PointerMode, cusparsePointerMode_t, mode)
#undef CUSET_CUSPARSE_PROPERTY

inline const char* cusparseGetErrorName(cusparseStatus_t status) {
  const char* const names[] = {"CUSPARSE_STATUS_SUCCESS",
                               "CUSPARSE_STATUS_NOT_INITIALIZED",
                               "CUSPARSE_STATUS_ALLOC_FAILED",
                               "CUSPARSE_STATUS_INVALID_VALUE",
                               "CUSPARSE_STATUS_ARCH_MISMATCH",
                               "CUSPARSE_STATUS_MAPPING_ERROR",
                               "CUSPARSE_STATUS_EXECUTION_FAILED",
                               "CUSPARSE_STATUS_INTERNAL_ERROR",
                               "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                               "CUSPARSE_STATUS_ZERO_PIVOT",
                               "CUSPARSE_STATUS_NOT_SUPPORTED",
                               "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
  return status >= 0 && status <= CUSPARSE_STATUS_INSUFFICIENT_RESOURCES ? names[status] : "unknown";
}
inline const char* cusparseGetErrorString(cusparseStatus_t status) {
  const char* const texts[] = {"success",
                               "initialization error",
                               "out of memory",
                               "invalid value",
                               "architecture mismatch",
                               "mapping error",
                               "kernel launch failure",
                               "internal error",
                               "matrix type not supported",
                               "zero pivot",
                               "operation not supported",
                               "insufficient resources"};
  return status >= 0 && status <= CUSPARSE_STATUS_INSUFFICIENT_RESOURCES ? texts[status] : "unknown";
}

inline cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descriptor) {
  return cusparse::give(descriptor, cusparseMatDescr());
}
inline cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  delete descriptor;
  return CUSPARSE_STATUS_SUCCESS;
}
#define CUSET_CUSPARSE_MATRIX_PROPERTY(name, type, member)                           \
  inline cusparseStatus_t cusparseSet##name(cusparseMatDescr_t matrix, type value) { \
    if (matrix == nullptr) return CUSPARSE_STATUS_INVALID_VALUE;                     \
    matrix->member = value;                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                                  \
  }                                                                                  \
  inline type cusparseGet##name(const cusparseMatDescr_t matrix) { return matrix->member; }
CUSET_CUSPARSE_MATRIX_PROPERTY(MatType, cusparseMatrixType_t, type)
CUSET_CUSPARSE_MATRIX_PROPERTY(MatFillMode, cusparseFillMode_t, fill)
CUSET_CUSPARSE_MATRIX_PROPERTY(MatDiagType, cusparseDiagType_t, diagonal)
CUSET_CUSPARSE_MATRIX_PROPERTY(MatIndexBase, cusparseIndexBase_t, base)
#undef CUSET_CUSPARSE_MATRIX_PROPERTY

inline cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t* vector, int64_t size, void* values,
                                            cudaDataType type) {
  return cusparse::give(vector, cusparseDnVecDescr{size, values, type});
}
inline cusparseStatus_t cusparseCreateSpVec(cusparseSpVecDescr_t* vector, int64_t size, int64_t nnz,
                                            void* indices, void* values, cusparseIndexType_t index_type,
                                            cusparseIndexBase_t base, cudaDataType type) {
  return cusparse::give(vector, cusparseSpVecDescr{size, nnz, indices, values, index_type, base, type});
}
inline cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t* matrix, int64_t rows, int64_t columns,
                                            int64_t ld, void* values, cudaDataType type,
                                            cusparseOrder_t order) {
  if (ld < (order == CUSPARSE_ORDER_COL ? rows : columns)) return CUSPARSE_STATUS_INVALID_VALUE;
  return cusparse::give(matrix, cusparseDnMatDescr{rows, columns, ld, values, type, order});
}
inline cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                          int64_t nnz, void* offsets, void* indices, void* values,
                                          cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                          cusparseIndexBase_t base, cudaDataType type) {
  if (offset_type == CUSPARSE_INDEX_16U || index_type == CUSPARSE_INDEX_16U)
    return CUSPARSE_STATUS_NOT_SUPPORTED;
  return cusparse::give(matrix, cusparseSpMatDescr{CUSPARSE_FORMAT_CSR, rows, columns, nnz, offsets, indices,
                                                   values, offset_type, index_type, base, type});
}
inline cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                          int64_t nnz, void* offsets, void* indices, void* values,
                                          cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                          cusparseIndexBase_t base, cudaDataType type) {
  const cusparseStatus_t status = cusparseCreateCsr(matrix, rows, columns, nnz, offsets, indices, values,
                                                    offset_type, index_type, base, type);
  if (status == CUSPARSE_STATUS_SUCCESS) (*matrix)->format = CUSPARSE_FORMAT_CSC;
  return status;
}
inline cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t* matrix, int64_t rows, int64_t columns,
                                          int64_t nnz, void* row_indices, void* column_indices, void* values,
                                          cusparseIndexType_t index_type, cusparseIndexBase_t base,
                                          cudaDataType type) {
  const cusparseStatus_t status = cusparseCreateCsr(matrix, rows, columns, nnz, row_indices, column_indices,
                                                    values, index_type, index_type, base, type);
  if (status == CUSPARSE_STATUS_SUCCESS) (*matrix)->format = CUSPARSE_FORMAT_COO;
  return status;
}

#define CUSET_CUSPARSE_DESTROY(name)                                                       \
  inline cusparseStatus_t cusparseDestroy##name(cusparseConst##name##Descr_t descriptor) { \
    delete descriptor;                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                        \
  }
CUSET_CUSPARSE_DESTROY(DnVec)
CUSET_CUSPARSE_DESTROY(SpVec)
CUSET_CUSPARSE_DESTROY(DnMat)
CUSET_CUSPARSE_DESTROY(SpMat)
#undef CUSET_CUSPARSE_DESTROY

#define CUSET_CUSPARSE_VALUES(name)                                                                      \
  inline cusparseStatus_t cusparse##name##GetValues(cusparse##name##Descr_t descriptor, void** values) { \
    *values = descriptor->values;                                                                        \
    return CUSPARSE_STATUS_SUCCESS;                                                                      \
  }                                                                                                      \
  inline cusparseStatus_t cusparse##name##SetValues(cusparse##name##Descr_t descriptor, void* values) {  \
    descriptor->values = values;                                                                         \
    return CUSPARSE_STATUS_SUCCESS;                                                                      \
  }
CUSET_CUSPARSE_VALUES(DnVec)
CUSET_CUSPARSE_VALUES(SpVec)
CUSET_CUSPARSE_VALUES(DnMat)
CUSET_CUSPARSE_VALUES(SpMat)
#undef CUSET_CUSPARSE_VALUES

inline cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                             int64_t* columns, int64_t* nnz) {
  *rows = matrix->rows;
  *columns = matrix->columns;
  *nnz = matrix->nnz;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix, cusparseFormat_t* format) {
  *format = matrix->format;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* indices,
                                               void* values) {
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* indices,
                                               void* values) {
  return cusparseCsrSetPointers(matrix, offsets, indices, values);
}
inline cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* rows, void* columns,
                                               void* values) {
  return cusparseCsrSetPointers(matrix, rows, columns, values);
}
inline cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                                  cusparseSpMatAttribute_t attribute, void* data, size_t) {
  if (attribute == CUSPARSE_SPMAT_FILL_MODE)
    matrix->fill = *static_cast<cusparseFillMode_t*>(data);
  else
    matrix->diagonal = *static_cast<cusparseDiagType_t*>(data);
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int batch, int64_t stride) {
  matrix->batch = batch;
  matrix->stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int batch,
                                                   int64_t offsets_stride, int64_t values_stride) {
  matrix->batch = batch;
  matrix->offsets_stride = offsets_stride;
  matrix->values_stride = values_stride;
  return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int batch, int64_t stride) {
  return cusparseCsrSetStridedBatch(matrix, batch, stride, stride);
}
