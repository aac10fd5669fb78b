// cuBLAS: status, handles, modes; and what its calls share.
#pragma once

#include "cuda_runtime.h"
#include "library_types.h"

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER = 0,
  CUBLAS_FILL_MODE_UPPER = 1,
  CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_TF32_TENSOR_OP_MATH = 3
} cublasMath_t;
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1 = 1,
  CUBLAS_GEMM_ALGO2 = 2,
  CUBLAS_GEMM_ALGO3 = 3,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100
} cublasGemmAlgo_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_32I = 72
} cublasComputeType_t;

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};
typedef cublasContext* cublasHandle_t;

namespace cublas {

// alpha or beta: a value, or where the handle says so, the address of one on the device.
template <class T>
struct Scalar {
  T value;
  const T* address;
  __device__ T get() const { return address != nullptr ? *address : value; }
};

template <class T>
inline Scalar<T> scalar(cublasHandle_t handle, const T* given) {
  const bool on_device = handle->mode == CUBLAS_POINTER_MODE_DEVICE;
  return {on_device ? T(0) : *given, on_device ? given : nullptr};
}

inline cublasStatus_t status_of(cudaError_t error) {
  return error == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

inline unsigned int blocks_for(long long threads, int block) {
  return static_cast<unsigned int>((threads + block - 1) / block);
}

// An element of op(A): only complex numbers know a conjugate (complex.h).
template <class T>
__device__ inline T element(T value, bool) {
  return value;
}

// Element `i` of n that are `step` apart; with a negative step they begin at the end.
__host__ __device__ inline long long place(long long i, int n, int step) {
  return step >= 0 ? i * step : (i - (n - 1)) * step;
}

}  // namespace cublas

inline cublasStatus_t cublasCreate(cublasHandle_t* handle) {
  if (handle == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
  *handle = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  delete handle;
  return CUBLAS_STATUS_SUCCESS;
}

#define CUSET_CUBLAS_PROPERTY(name, type, member)                             \
  inline cublasStatus_t cublasSet##name(cublasHandle_t handle, type value) {  \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;              \
    handle->member = value;                                                   \
    return CUBLAS_STATUS_SUCCESS;                                             \
  }                                                                           \
  inline cublasStatus_t cublasGet##name(cublasHandle_t handle, type* value) { \
    if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;              \
    *value = handle->member;                                                  \
    return CUBLAS_STATUS_SUCCESS;                                             \
  }

CUSET_CUBLAS_PROPERTY(Stream, cudaStream_t, stream)
CUSET_CUBLAS_PROPERTY(PointerMode, cublasPointerMode_t, mode)
CUSET_CUBLAS_PROPERTY(MathMode, cublasMath_t, math)

#undef CUSET_CUBLAS_PROPERTY

inline cublasStatus_t cublasGetVersion(cublasHandle_t handle, int* version) {
  if (handle == nullptr) return CUBLAS_STATUS_NOT_INITIALIZED;
  *version = 120800;
  return CUBLAS_STATUS_SUCCESS;
}
// Products need no memory besides.
inline cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void*, size_t) {
  return handle == nullptr ? CUBLAS_STATUS_NOT_INITIALIZED : CUBLAS_STATUS_SUCCESS;
}

inline const char* cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
    case CUBLAS_STATUS_SUCCESS:
      return "success";
    case CUBLAS_STATUS_NOT_INITIALIZED:
      return "the library was not initialized";
    case CUBLAS_STATUS_INVALID_VALUE:
      return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_NOT_SUPPORTED:
      return "the functionality requested is not supported";
    default:
      return "the GPU program failed to execute";
  }
}
