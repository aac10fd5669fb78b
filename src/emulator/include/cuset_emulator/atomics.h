// Atomic functions for exactly the types CUDA has them for, and their _block and _system variants. Each is
// one atomic instruction where the CPU's compiler has one, which the compiler pass sees; increments that wrap
// and 16-bit additions are loops around compare-and-swap.
#pragma once

#include "cuset_emulator/qualifiers.h"

#if defined(__CUDA__)

namespace cuset_emulator {

// Replaces *address by change(old) in one step and returns the old value.
template <class T, class Change>
CUSET_DEVICE_FUNCTION T change_atomically(T* address, Change change) {
  T old, next;
  __atomic_load(address, &old, __ATOMIC_RELAXED);
  do {
    next = change(old);
  } while (!__atomic_compare_exchange(address, &old, &next, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
  return old;
}

}  // namespace cuset_emulator

#define CUSET_ATOMIC(name, type, builtin)                      \
  CUSET_DEVICE_FUNCTION type name(type* address, type value) { \
    return builtin(address, value, __ATOMIC_RELAXED);          \
  }

// `scope` is empty, _block or _system: all the same on one machine.
#define CUSET_ATOMICS(scope)                                                                      \
  CUSET_ATOMIC(atomicAdd##scope, int, __atomic_fetch_add)                                         \
  CUSET_ATOMIC(atomicAdd##scope, unsigned int, __atomic_fetch_add)                                \
  CUSET_ATOMIC(atomicAdd##scope, unsigned long long, __atomic_fetch_add)                          \
  CUSET_ATOMIC(atomicAdd##scope, float, __atomic_fetch_add)                                       \
  CUSET_ATOMIC(atomicAdd##scope, double, __atomic_fetch_add)                                      \
  CUSET_ATOMIC(atomicSub##scope, int, __atomic_fetch_sub)                                         \
  CUSET_ATOMIC(atomicSub##scope, unsigned int, __atomic_fetch_sub)                                \
  CUSET_ATOMIC(atomicMin##scope, int, __atomic_fetch_min)                                         \
  CUSET_ATOMIC(atomicMin##scope, unsigned int, __atomic_fetch_min)                                \
  CUSET_ATOMIC(atomicMin##scope, long long, __atomic_fetch_min)                                   \
  CUSET_ATOMIC(atomicMin##scope, unsigned long long, __atomic_fetch_min)                          \
  CUSET_ATOMIC(atomicMax##scope, int, __atomic_fetch_max)                                         \
  CUSET_ATOMIC(atomicMax##scope, unsigned int, __atomic_fetch_max)                                \
  CUSET_ATOMIC(atomicMax##scope, long long, __atomic_fetch_max)                                   \
  CUSET_ATOMIC(atomicMax##scope, unsigned long long, __atomic_fetch_max)                          \
  CUSET_ATOMIC(atomicAnd##scope, int, __atomic_fetch_and)                                         \
  CUSET_ATOMIC(atomicAnd##scope, unsigned int, __atomic_fetch_and)                                \
  CUSET_ATOMIC(atomicAnd##scope, unsigned long long, __atomic_fetch_and)                          \
  CUSET_ATOMIC(atomicOr##scope, int, __atomic_fetch_or)                                           \
  CUSET_ATOMIC(atomicOr##scope, unsigned int, __atomic_fetch_or)                                  \
  CUSET_ATOMIC(atomicOr##scope, unsigned long long, __atomic_fetch_or)                            \
  CUSET_ATOMIC(atomicXor##scope, int, __atomic_fetch_xor)                                         \
  CUSET_ATOMIC(atomicXor##scope, unsigned int, __atomic_fetch_xor)                                \
  CUSET_ATOMIC(atomicXor##scope, unsigned long long, __atomic_fetch_xor)                          \
  CUSET_ATOMIC(atomicExch##scope, int, __atomic_exchange_n)                                       \
  CUSET_ATOMIC(atomicExch##scope, unsigned int, __atomic_exchange_n)                              \
  CUSET_ATOMIC(atomicExch##scope, unsigned long long, __atomic_exchange_n)                        \
  CUSET_ATOMIC_EXCHANGE_FLOAT(atomicExch##scope)                                                  \
  CUSET_ATOMIC_CAS(atomicCAS##scope, int)                                                         \
  CUSET_ATOMIC_CAS(atomicCAS##scope, unsigned int)                                                \
  CUSET_ATOMIC_CAS(atomicCAS##scope, unsigned short)                                              \
  CUSET_ATOMIC_CAS(atomicCAS##scope, unsigned long long)                                          \
  CUSET_DEVICE_FUNCTION unsigned int atomicInc##scope(unsigned int* address, unsigned int last) { \
    return cuset_emulator::change_atomically(                                                     \
        address, [last](unsigned int old) { return old >= last ? 0u : old + 1u; });               \
  }                                                                                               \
  CUSET_DEVICE_FUNCTION unsigned int atomicDec##scope(unsigned int* address, unsigned int last) { \
    return cuset_emulator::change_atomically(                                                     \
        address, [last](unsigned int old) { return old == 0 || old > last ? last : old - 1u; });  \
  }

#define CUSET_ATOMIC_EXCHANGE_FLOAT(name)                         \
  CUSET_DEVICE_FUNCTION float name(float* address, float value) { \
    float old;                                                    \
    __atomic_exchange(address, &value, &old, __ATOMIC_RELAXED);   \
    return old;                                                   \
  }

#define CUSET_ATOMIC_CAS(name, type)                                                                  \
  CUSET_DEVICE_FUNCTION type name(type* address, type compare, type value) {                          \
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED); \
    return compare;                                                                                   \
  }

CUSET_ATOMICS()
CUSET_ATOMICS(_block)
CUSET_ATOMICS(_system)

#undef CUSET_ATOMIC
#undef CUSET_ATOMICS
#undef CUSET_ATOMIC_CAS
#undef CUSET_ATOMIC_EXCHANGE_FLOAT

#endif
