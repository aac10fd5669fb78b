// cudaGetErrorName and cudaGetErrorString of common codes.
// kernels: 0
#include <cuda_runtime.h>
#include <cstring>

#include <cstdio>
#include <cstring>

struct Row {
  cudaError_t code;
  int number;
  const char *name, *text;
};

int main() {
  const Row rows[] = {
      {cudaSuccess, 0, "cudaSuccess", "no error"},
      {cudaErrorInvalidValue, 1, "cudaErrorInvalidValue", "invalid argument"},
      {cudaErrorMemoryAllocation, 2, "cudaErrorMemoryAllocation", "out of memory"},
      {cudaErrorInvalidConfiguration, 9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
      {cudaErrorInvalidSymbol, 13, "cudaErrorInvalidSymbol", "invalid device symbol"},
      {cudaErrorInvalidDevice, 101, "cudaErrorInvalidDevice", "invalid device ordinal"},
      {cudaErrorNotReady, 600, "cudaErrorNotReady", "device not ready"},
      {cudaErrorIllegalAddress, 700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
      {cudaErrorLaunchOutOfResources, 701, "cudaErrorLaunchOutOfResources",
       "too many resources requested for launch"},
      {cudaErrorAssert, 710, "cudaErrorAssert", "device-side assert triggered"},
      {cudaErrorLaunchFailure, 719, "cudaErrorLaunchFailure", "unspecified launch failure"},
      {static_cast<cudaError_t>(12345), 12345, "unrecognized error code", "unrecognized error code"},
  };
  for (const Row& row : rows) {
    const char *name = cudaGetErrorName(row.code), *text = cudaGetErrorString(row.code);
    if (row.code != row.number || std::strcmp(name, row.name) || std::strcmp(text, row.text))
      return std::printf("FAIL %d: %s, %s\n", row.number, name, text), 1;
  }
  std::puts("PASS");
}
