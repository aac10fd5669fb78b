// threadIdx, blockIdx, blockDim, gridDim and warpSize. Each is an empty constant whose members are properties
// that read the worker's context; copies convert to uint3 or dim3.
#pragma once

#include "cuset_emulator/abi.h"
#include "cuset_emulator/vector_types.h"

#if defined(__CUDA__)

namespace cuset_emulator {

#define CUSET_INDEX_TYPE(name, field)                                             \
  struct name {                                                                   \
    typedef void BuiltinIndex;                                                    \
    __declspec(property(get = get_x)) unsigned int x;                             \
    __declspec(property(get = get_y)) unsigned int y;                             \
    __declspec(property(get = get_z)) unsigned int z;                             \
    CUSET_DEVICE_FUNCTION unsigned int get_x() { return cuset_context.field[0]; } \
    CUSET_DEVICE_FUNCTION unsigned int get_y() { return cuset_context.field[1]; } \
    CUSET_DEVICE_FUNCTION unsigned int get_z() { return cuset_context.field[2]; } \
    __device__ __attribute__((always_inline)) operator uint3() const {            \
      return uint3{get_x(), get_y(), get_z()};                                    \
    }                                                                             \
    __device__ name* operator&() const = delete;                                  \
  }

CUSET_INDEX_TYPE(ThreadIndex, thread_index);
CUSET_INDEX_TYPE(BlockIndex, block_index);
CUSET_INDEX_TYPE(BlockDimension, block_dim);
CUSET_INDEX_TYPE(GridDimension, grid_dim);

#undef CUSET_INDEX_TYPE

}  // namespace cuset_emulator

extern const __device__ __attribute__((weak)) cuset_emulator::ThreadIndex threadIdx;
extern const __device__ __attribute__((weak)) cuset_emulator::BlockIndex blockIdx;
extern const __device__ __attribute__((weak)) cuset_emulator::BlockDimension blockDim;
extern const __device__ __attribute__((weak)) cuset_emulator::GridDimension gridDim;

static constexpr int warpSize = CUSET_WARP_SIZE;

#endif
