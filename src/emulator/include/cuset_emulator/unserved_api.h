// Calls of the host API that exist but are not served: a program that reaches one ends as unsupported, by the
// call's name. One that only mentions it does not.
#pragma once

#include "cuset_emulator/error_codes.h"
#include "cuset_emulator/qualifiers.h"

struct cudaIpcMemHandle_t {
  char reserved[64];
};
struct cudaIpcEventHandle_t {
  char reserved[64];
};

extern "C" [[noreturn]] __host__ void cuset_unserved_call(const char* construct) __asm__("cuset_unsupported");

#if defined(__CUDA__)

#define CUSET_UNSERVED_CALL(name)                    \
  template <class... Arguments>                      \
  inline __host__ cudaError_t name(Arguments&&...) { \
    cuset_unserved_call(#name);                      \
  }

CUSET_UNSERVED_CALL(cudaIpcGetMemHandle)
CUSET_UNSERVED_CALL(cudaIpcOpenMemHandle)
CUSET_UNSERVED_CALL(cudaIpcCloseMemHandle)
CUSET_UNSERVED_CALL(cudaIpcGetEventHandle)
CUSET_UNSERVED_CALL(cudaIpcOpenEventHandle)
CUSET_UNSERVED_CALL(cudaMallocMipmappedArray)
CUSET_UNSERVED_CALL(cudaFreeMipmappedArray)
CUSET_UNSERVED_CALL(cudaGetMipmappedArrayLevel)
CUSET_UNSERVED_CALL(cudaMemPoolExportToShareableHandle)
CUSET_UNSERVED_CALL(cudaMemPoolImportFromShareableHandle)
CUSET_UNSERVED_CALL(cudaMemPoolExportPointer)
CUSET_UNSERVED_CALL(cudaMemPoolImportPointer)
CUSET_UNSERVED_CALL(cudaGraphMemcpyNodeGetParams)
CUSET_UNSERVED_CALL(cudaGraphMemsetNodeGetParams)
CUSET_UNSERVED_CALL(cudaGraphHostNodeGetParams)
CUSET_UNSERVED_CALL(cudaGraphDebugDotPrint)
CUSET_UNSERVED_CALL(cudaUserObjectCreate)
CUSET_UNSERVED_CALL(cudaImportExternalMemory)
CUSET_UNSERVED_CALL(cudaImportExternalSemaphore)
CUSET_UNSERVED_CALL(cudaLaunchCooperativeKernelMultiDevice)
CUSET_UNSERVED_CALL(cudaGetDriverEntryPoint)
CUSET_UNSERVED_CALL(cudaBindTexture)
CUSET_UNSERVED_CALL(cudaBindTexture2D)
CUSET_UNSERVED_CALL(cudaBindTextureToArray)
CUSET_UNSERVED_CALL(cudaUnbindTexture)

#undef CUSET_UNSERVED_CALL

#endif
