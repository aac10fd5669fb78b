// Questions about peers on a machine where device 0 is asked about itself: no pair, no access.
// kernels: 0
// errors: on purpose
#include <cuda_runtime.h>

#include <cstdio>

int main() {
  int value = 7, can = 7;
  if (cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 0) != cudaErrorInvalidDevice)
    return std::puts("FAIL attribute of a device and itself"), 1;
  cudaGetLastError();
  if (cudaDeviceCanAccessPeer(&can, 0, 0) != cudaSuccess || can != 0)
    return std::puts("FAIL access to itself"), 1;
  int count = 0;
  cudaGetDeviceCount(&count);
  if (cudaDeviceCanAccessPeer(&can, 0, count) != cudaErrorInvalidDevice)
    return std::puts("FAIL no such peer"), 1;
  cudaGetLastError();
  std::puts("PASS");
}
