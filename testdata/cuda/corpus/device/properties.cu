// Device properties and attributes agree with each other and with what every GPU since 8.0 has.
#include <cuda_runtime.h>

#include <cstdio>

__global__ void report(int* out) { *out = warpSize; }

struct Row {
  cudaDeviceAttr attribute;
  long long want;
};

int main() {
  cudaDeviceProp p;
  int got = 0;
  if (cudaGetDeviceProperties(&p, 0) != cudaSuccess) return std::puts("FAIL properties"), 1;
  int* out;
  cudaMalloc(&out, sizeof(int));
  report<<<1, 1>>>(out);
  cudaMemcpy(&got, out, sizeof(got), cudaMemcpyDeviceToHost);
  if (got != 32 || p.warpSize != 32) return std::printf("FAIL warps of %d and %d\n", got, p.warpSize), 1;
  bool limits = p.maxThreadsPerBlock == 1024 && p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535 &&
                p.regsPerBlock == 65536;
  bool sizes = p.sharedMemPerBlock == 49152 && p.totalConstMem == 65536 && p.totalGlobalMem > (1u << 28) &&
               p.unifiedAddressing;
  if (!limits || !sizes || p.major < 8 || p.multiProcessorCount < 1 || !p.name[0])
    return std::puts("FAIL properties"), 1;
  const Row rows[] = {
      {cudaDevAttrWarpSize, 32},
      {cudaDevAttrMaxThreadsPerBlock, 1024},
      {cudaDevAttrMultiProcessorCount, p.multiProcessorCount},
      {cudaDevAttrComputeCapabilityMajor, p.major},
      {cudaDevAttrMaxSharedMemoryPerBlock, 49152},
      {cudaDevAttrCooperativeLaunch, 1},
      {cudaDevAttrMaxSharedMemoryPerBlockOptin, static_cast<long long>(p.sharedMemPerBlockOptin)},
      {cudaDevAttrManagedMemory, 1}};
  for (const Row& row : rows) {
    int value = -1;
    cudaDeviceGetAttribute(&value, row.attribute, 0);
    if (value != row.want)
      return std::printf("FAIL attribute %d: got %d, wanted %lld\n", row.attribute, value, row.want), 1;
  }
  std::puts("PASS");
}
