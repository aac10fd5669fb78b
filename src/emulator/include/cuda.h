// The driver API's header: its version and types. A program that calls one of its functions ends as unsupported.
#pragma once
#define __cuda_cuda_h__  // NVIDIA's include guard

#include "cuda_runtime.h"

#define CUDA_VERSION 12080

typedef int CUdevice;
typedef unsigned long long CUdeviceptr;
typedef struct CUctx_st* CUcontext;
typedef struct CUmod_st* CUmodule;
typedef struct CUfunc_st* CUfunction;
typedef struct CUstream_st* CUstream;
typedef struct CUevent_st* CUevent;

typedef enum cudaError_enum {
  CUDA_SUCCESS = 0,
  CUDA_ERROR_INVALID_VALUE = 1,
  CUDA_ERROR_OUT_OF_MEMORY = 2,
  CUDA_ERROR_NOT_INITIALIZED = 3,
  CUDA_ERROR_NO_DEVICE = 100,
  CUDA_ERROR_INVALID_DEVICE = 101,
  CUDA_ERROR_UNKNOWN = 999
} CUresult;

#define CUSET_DRIVER_FUNCTION(name)                    \
  template <class... Arguments>                        \
  inline __host__ CUresult name(Arguments&&...) {      \
    cuset_unserved_call("the driver API (" #name ")"); \
  }

CUSET_DRIVER_FUNCTION(cuInit)
CUSET_DRIVER_FUNCTION(cuDriverGetVersion)
CUSET_DRIVER_FUNCTION(cuDeviceGet)
CUSET_DRIVER_FUNCTION(cuDeviceGetCount)
CUSET_DRIVER_FUNCTION(cuDeviceGetName)
CUSET_DRIVER_FUNCTION(cuDeviceGetAttribute)
CUSET_DRIVER_FUNCTION(cuCtxCreate)
CUSET_DRIVER_FUNCTION(cuCtxDestroy)
CUSET_DRIVER_FUNCTION(cuCtxSynchronize)
CUSET_DRIVER_FUNCTION(cuMemAlloc)
CUSET_DRIVER_FUNCTION(cuMemFree)
CUSET_DRIVER_FUNCTION(cuMemcpyHtoD)
CUSET_DRIVER_FUNCTION(cuMemcpyDtoH)
CUSET_DRIVER_FUNCTION(cuModuleLoad)
CUSET_DRIVER_FUNCTION(cuModuleLoadData)
CUSET_DRIVER_FUNCTION(cuModuleGetFunction)
CUSET_DRIVER_FUNCTION(cuLaunchKernel)
CUSET_DRIVER_FUNCTION(cuGetErrorString)

#undef CUSET_DRIVER_FUNCTION
