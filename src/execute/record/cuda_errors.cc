#include "execute/record/cuda_errors.h"

namespace cuset::execute {
namespace {

struct NamedError {
  int code;
  CudaErrorKind kind;
  const char* name;
  const char* meaning;
};

using Kind = CudaErrorKind;

// Codes that tell how a run ended; all others are faults of single calls.
constexpr NamedError kErrors[] = {
    {0, Kind::kNone, "cudaSuccess", "no error"},
    {1, Kind::kCall, "cudaErrorInvalidValue", "invalid argument"},
    {2, Kind::kMemory, "cudaErrorMemoryAllocation", "out of memory"},
    {3, Kind::kNoDevice, "cudaErrorInitializationError", "initialization error"},
    {4, Kind::kNone, "cudaErrorCudartUnloading", "driver shutting down"},
    {9, Kind::kLaunch, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    {13, Kind::kCall, "cudaErrorInvalidSymbol", "invalid device symbol"},
    {17, Kind::kCall, "cudaErrorInvalidDevicePointer", "invalid device pointer"},
    {21, Kind::kCall, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    {34, Kind::kNoDevice, "cudaErrorStubLibrary", "CUDA driver is a stub library"},
    {35, Kind::kNoDevice, "cudaErrorInsufficientDriver",
     "CUDA driver version is insufficient for CUDA runtime version"},
    {46, Kind::kNoDevice, "cudaErrorDevicesUnavailable", "CUDA-capable device(s) is/are busy or unavailable"},
    {98, Kind::kLaunch, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    {100, Kind::kNoDevice, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    {101, Kind::kCall, "cudaErrorInvalidDevice", "invalid device ordinal"},
    {200, Kind::kLaunch, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    {209, Kind::kLaunch, "cudaErrorNoKernelImageForDevice",
     "no kernel image is available for execution on the device"},
    {214, Kind::kDeviceFault, "cudaErrorECCUncorrectable", "uncorrectable ECC error encountered"},
    {218, Kind::kLaunch, "cudaErrorInvalidPtx", "a PTX JIT compilation failed"},
    {220, Kind::kDeviceFault, "cudaErrorNvlinkUncorrectable",
     "uncorrectable NVLink error detected during the execution"},
    {222, Kind::kLaunch, "cudaErrorUnsupportedPtxVersion",
     "the provided PTX was compiled with an unsupported toolchain"},
    {304, Kind::kNoDevice, "cudaErrorOperatingSystem",
     "OS call failed or operation not supported on this OS"},
    {400, Kind::kCall, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    {600, Kind::kNone, "cudaErrorNotReady", "device not ready"},
    {700, Kind::kDeviceFault, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    {701, Kind::kLaunch, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    {702, Kind::kDeviceFault, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    {704, Kind::kNone, "cudaErrorPeerAccessAlreadyEnabled", "peer access is already enabled"},
    {709, Kind::kCall, "cudaErrorContextIsDestroyed", "context is destroyed"},
    {710, Kind::kDeviceFault, "cudaErrorAssert", "device-side assert triggered"},
    {714, Kind::kDeviceFault, "cudaErrorHardwareStackError", "hardware stack error"},
    {715, Kind::kDeviceFault, "cudaErrorIllegalInstruction", "an illegal instruction was encountered"},
    {716, Kind::kDeviceFault, "cudaErrorMisalignedAddress", "misaligned address"},
    {717, Kind::kDeviceFault, "cudaErrorInvalidAddressSpace",
     "operation not supported on global/shared address space"},
    {718, Kind::kDeviceFault, "cudaErrorInvalidPc", "invalid program counter"},
    {719, Kind::kDeviceFault, "cudaErrorLaunchFailure", "unspecified launch failure"},
    {720, Kind::kLaunch, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    {801, Kind::kCall, "cudaErrorNotSupported", "operation not supported"},
    {802, Kind::kNoDevice, "cudaErrorSystemNotReady", "system not yet initialized"},
    {803, Kind::kNoDevice, "cudaErrorSystemDriverMismatch",
     "system has unsupported display driver / cuda driver combination"},
    {912, Kind::kLaunch, "cudaErrorInvalidClusterSize",
     "a kernel launch error due to cluster misconfiguration"},
    {999, Kind::kDeviceFault, "cudaErrorUnknown", "unknown error"},
};

const NamedError* find_error(int code) {
  for (const NamedError& error : kErrors) {
    if (error.code == code) return &error;
  }
  return nullptr;
}

}  // namespace

CudaErrorKind kind_of_cuda_error(int code) {
  const NamedError* error = find_error(code);
  return error == nullptr ? Kind::kCall : error->kind;
}

std::string cuda_error_name(int code) {
  const NamedError* error = find_error(code);
  return error == nullptr ? "CUDA error " + std::to_string(code) : error->name;
}

std::string cuda_error_meaning(int code) {
  const NamedError* error = find_error(code);
  return error == nullptr ? "" : error->meaning;
}

}  // namespace cuset::execute
