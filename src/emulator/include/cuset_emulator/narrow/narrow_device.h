// What device code does with 16-bit floating-point numbers in memory and between lanes: hinted loads and
// stores, shuffles, atomic additions. Use: CUSET_NARROW_DEVICE(__half, __half2).
#pragma once

#include "cuset_emulator/atomics.h"
#include "cuset_emulator/device_memory.h"
#include "cuset_emulator/warp.h"

#if defined(__CUDA__)

#define CUSET_NARROW_ATOMIC(type)                                                                 \
  CUSET_DEVICE_FUNCTION type atomicAdd(type* address, type value) {                               \
    return cuset_emulator::change_atomically(address, [value](type old) { return old + value; }); \
  }

#define CUSET_NARROW_DEVICE(N, N2) \
  CUSET_HINTED_ACCESS(N)           \
  CUSET_HINTED_ACCESS(N2)          \
  CUSET_SHUFFLES(N)                \
  CUSET_SHUFFLES(N2)               \
  CUSET_NARROW_ATOMIC(N)           \
  CUSET_NARROW_ATOMIC(N2)

#else
#define CUSET_NARROW_DEVICE(N, N2)
#endif
