// Ranges and marks of NVTX around a launch, in C and in C++.
#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <nvtx3/nvtx3.hpp>

__global__ void square(int* numbers) { numbers[threadIdx.x] *= numbers[threadIdx.x]; }

static cudaError_t run(int* numbers) {
  NVTX3_FUNC_RANGE();
  nvtx3::scoped_range range{"square"};
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.colorType = NVTX_COLOR_ARGB;
  attributes.color = 0xff00ff00;
  attributes.messageType = NVTX_MESSAGE_TYPE_ASCII;
  attributes.message.ascii = "launch";
  nvtxRangePushEx(&attributes);
  square<<<1, 64>>>(numbers);
  const cudaError_t error = cudaDeviceSynchronize();
  nvtxRangePop();
  return error;
}

int main() {
  int* numbers;
  cudaMallocManaged(&numbers, 64 * sizeof(int));
  for (int i = 0; i < 64; ++i) numbers[i] = i;
  nvtxRangePush("all");
  nvtxMark("begin");
  if (cudaError_t error = run(numbers)) return std::printf("FAIL %s\n", cudaGetErrorString(error)), 1;
  nvtxRangePop();
  for (int i = 0, want = 0; i < 64; want += 2 * i + 1, ++i) {
    if (numbers[i] != want) return std::printf("FAIL [%d] got %d, wanted %d\n", i, numbers[i], want), 1;
  }
  std::puts("PASS");
}
