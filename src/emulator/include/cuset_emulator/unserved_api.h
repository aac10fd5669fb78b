// Calls of the host API that exist but are not served: a program that uses one ends as unsupported, by the
// call's name.
#pragma once

#include "cuset_emulator/error_codes.h"
#include "cuset_emulator/qualifiers.h"

typedef struct CUgraph_st* cudaGraph_t;
typedef struct CUgraphExec_st* cudaGraphExec_t;
typedef struct CUgraphNode_st* cudaGraphNode_t;
enum cudaStreamCaptureMode {
  cudaStreamCaptureModeGlobal = 0,
  cudaStreamCaptureModeThreadLocal = 1,
  cudaStreamCaptureModeRelaxed = 2
};
struct cudaIpcMemHandle_t {
  char reserved[64];
};
struct cudaIpcEventHandle_t {
  char reserved[64];
};

#if defined(__CUDA__)

#define CUSET_UNSERVED_CALL(name) \
  template <class... Arguments>   \
  CUSET_UNSERVED(#name)           \
  cudaError_t name(Arguments&&...);

CUSET_UNSERVED_CALL(cudaGraphCreate)
CUSET_UNSERVED_CALL(cudaGraphInstantiate)
CUSET_UNSERVED_CALL(cudaGraphInstantiateWithFlags)
CUSET_UNSERVED_CALL(cudaGraphLaunch)
CUSET_UNSERVED_CALL(cudaGraphUpload)
CUSET_UNSERVED_CALL(cudaGraphDestroy)
CUSET_UNSERVED_CALL(cudaGraphExecDestroy)
CUSET_UNSERVED_CALL(cudaGraphExecUpdate)
CUSET_UNSERVED_CALL(cudaGraphAddKernelNode)
CUSET_UNSERVED_CALL(cudaGraphAddMemcpyNode)
CUSET_UNSERVED_CALL(cudaGraphAddMemcpyNode1D)
CUSET_UNSERVED_CALL(cudaGraphAddMemsetNode)
CUSET_UNSERVED_CALL(cudaGraphAddHostNode)
CUSET_UNSERVED_CALL(cudaGraphAddDependencies)
CUSET_UNSERVED_CALL(cudaGraphGetNodes)
CUSET_UNSERVED_CALL(cudaGraphClone)
CUSET_UNSERVED_CALL(cudaStreamBeginCapture)
CUSET_UNSERVED_CALL(cudaStreamEndCapture)
CUSET_UNSERVED_CALL(cudaStreamIsCapturing)
CUSET_UNSERVED_CALL(cudaStreamSetAttribute)
CUSET_UNSERVED_CALL(cudaIpcGetMemHandle)
CUSET_UNSERVED_CALL(cudaIpcOpenMemHandle)
CUSET_UNSERVED_CALL(cudaIpcCloseMemHandle)
CUSET_UNSERVED_CALL(cudaIpcGetEventHandle)
CUSET_UNSERVED_CALL(cudaIpcOpenEventHandle)
CUSET_UNSERVED_CALL(cudaMallocMipmappedArray)
CUSET_UNSERVED_CALL(cudaFreeMipmappedArray)
CUSET_UNSERVED_CALL(cudaGetMipmappedArrayLevel)
CUSET_UNSERVED_CALL(cudaMemPoolCreate)
CUSET_UNSERVED_CALL(cudaMemPoolDestroy)
CUSET_UNSERVED_CALL(cudaMallocFromPoolAsync)
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
