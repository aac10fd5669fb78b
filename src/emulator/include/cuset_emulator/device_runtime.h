// CUDA's runtime in device code: launches of further grids, and the calls that device code may make. Launches arrive here
// as calls: <<<>>> in device code is rewritten before clang sees it (execute/build/nvcc_dialect.h).
#pragma once

#include "cuset_emulator/abi.h"
#include "cuset_emulator/error_codes.h"
#include "cuset_emulator/memory_types.h"
#include "cuset_emulator/qualifiers.h"
#include "cuset_emulator/stream_types.h"

#if defined(__CUDA__)

extern "C" {
// `shape`: grid, block, bytes of dynamic shared memory. All return a cudaError_t.
CUSET_DEVICE int cuset_launch_child(const void* kernel, const uint32_t* shape, const void* stream,
                                    uint32_t count, const void* const* values, const uint32_t* sizes);
CUSET_DEVICE int cuset_move_in_device(void* to, const void* from, int value, uint64_t bytes,
                                      const void* stream);
CUSET_DEVICE int cuset_last_device_error(int forget);
}

namespace cuset_emulator {

// clang knows no kernel's address in device code, but for constants.
template <class Kernel, Kernel kernel>
struct ChildKernel {
  static constexpr Kernel address = kernel;
};

// What stands in a pointer of the host to a kernel, when the device side is compiled: there code of the host is checked, not
// made. The type is that of the host side's kernel.
template <class Kernel, Kernel kernel>
struct KernelValue;

template <class... Parameters, void(CUSET_KERNEL_ABI* kernel)(Parameters...)>
struct KernelValue<void(CUSET_KERNEL_ABI*)(Parameters...), kernel> {
  static void function(Parameters...);
};

template <class... Parameters>
struct ChildGrid {
  const void* kernel;
  dim3 grid;
  dim3 block;
  size_t shared_bytes;
  cudaStream_t stream;

  // Arguments are converted to the kernel's parameter types first, as at a call.
  __device__ __attribute__((always_inline)) void launch(Parameters... arguments) const {
    const uint32_t shape[] = {
        grid.x, grid.y, grid.z, block.x, block.y, block.z, static_cast<uint32_t>(shared_bytes)};
    const void* const values[] = {static_cast<const void*>(&arguments)..., nullptr};
    const uint32_t sizes[] = {static_cast<uint32_t>(sizeof(Parameters))..., 0};
    cuset_launch_child(kernel, shape, stream, sizeof...(Parameters), values, sizes);
  }
};

template <class... Parameters>
__device__ __attribute__((always_inline)) inline ChildGrid<Parameters...> child_grid(
    void(CUSET_KERNEL_ABI* kernel)(Parameters...), dim3 grid, dim3 block, size_t shared_bytes = 0,
    cudaStream_t stream = nullptr) {
  return {reinterpret_cast<const void*>(kernel), grid, block, shared_bytes, stream};
}

}  // namespace cuset_emulator

// Of sources that are rewritten (execute/build/nvcc_dialect.h).
#if defined(CUSET_DEVICE_PASS)
#define CUSET_KERNEL_VALUE(...)     \
  (static_cast<void>(&__VA_ARGS__), \
   &cuset_emulator::KernelValue<decltype(&__VA_ARGS__), &__VA_ARGS__>::function)
#else
#define CUSET_KERNEL_VALUE(...) (&__VA_ARGS__)
#endif

template <class T>
__device__ inline cudaError_t cudaMalloc(T** memory, size_t bytes) {
  *memory = static_cast<T*>(cuset_device_malloc(bytes));
  return *memory != nullptr || bytes == 0 ? cudaSuccess : cudaErrorMemoryAllocation;
}
__device__ inline cudaError_t cudaFree(void* memory) {
  cuset_device_free(memory);
  return cudaSuccess;
}
__device__ inline cudaError_t cudaGetLastError() {
  return static_cast<cudaError_t>(cuset_last_device_error(1));
}
__device__ inline cudaError_t cudaPeekAtLastError() {
  return static_cast<cudaError_t>(cuset_last_device_error(0));
}
__device__ inline const char* cudaGetErrorString(cudaError_t error) {
  return error == cudaSuccess ? "no error" : "an error in device code";
}
__device__ inline cudaError_t cudaGetDevice(int* device) {
  *device = 0;
  return cudaSuccess;
}
__device__ inline cudaError_t cudaMemcpyAsync(void* to, const void* from, size_t bytes, cudaMemcpyKind,
                                              cudaStream_t stream = nullptr) {
  return static_cast<cudaError_t>(cuset_move_in_device(to, from, 0, bytes, stream));
}
__device__ inline cudaError_t cudaMemsetAsync(void* memory, int value, size_t bytes,
                                              cudaStream_t stream = nullptr) {
  return static_cast<cudaError_t>(cuset_move_in_device(memory, nullptr, value, bytes, stream));
}
// All work of a grid's streams runs in one order here: one handle does for all.
__device__ inline cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned int) {
  *stream = reinterpret_cast<cudaStream_t>(0x10);
  return cudaSuccess;
}
__device__ inline cudaError_t cudaStreamDestroy(cudaStream_t) { return cudaSuccess; }

#endif
