// CUDA's error codes (cudaError_t, and CUresult, which shares these values), by name and by what they say
// about a program. Names and meanings are those of the CUDA Runtime API's documentation.
#pragma once

#include <string>

namespace cuset::execute {

enum class CudaErrorKind {
  kNone,         // success, and answers that are no failure: cudaErrorNotReady
  kCall,         // a call with wrong arguments or in the wrong place
  kMemory,       // the device's memory is exhausted
  kLaunch,       // a kernel could not be launched: wrong configuration, no code for this device, too many
                 // resources
  kDeviceFault,  // a kernel failed while it ran; every later call of the process fails too
  kNoDevice,     // no device, no driver, or one that does not fit
};

CudaErrorKind kind_of_cuda_error(int code);

// "cudaErrorIllegalAddress"; "CUDA error 1234" for a code without a name here.
std::string cuda_error_name(int code);

// "an illegal memory access was encountered"; empty for a code without a name here.
std::string cuda_error_meaning(int code);

}  // namespace cuset::execute
