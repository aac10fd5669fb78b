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

// The functions of toolkit 12.8 that take an order and a scope. All orders are the strongest one here.
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

namespace cuset_emulator {

template <class T>
struct SameType {
  typedef T Type;
};

}  // namespace cuset_emulator

// With and without the old value.
#define CUSET_NV_ATOMIC(operation)                                                  \
  template <class T>                                                                \
  CUSET_DEVICE_FUNCTION T __nv_atomic_fetch_##operation(                            \
      T* address, typename cuset_emulator::SameType<T>::Type value, int, int = 0) { \
    return __atomic_fetch_##operation(address, value, __ATOMIC_SEQ_CST);            \
  }                                                                                 \
  template <class T>                                                                \
  CUSET_DEVICE_FUNCTION void __nv_atomic_##operation(                               \
      T* address, typename cuset_emulator::SameType<T>::Type value, int, int = 0) { \
    __atomic_fetch_##operation(address, value, __ATOMIC_SEQ_CST);                   \
  }

CUSET_NV_ATOMIC(add)
CUSET_NV_ATOMIC(sub)
CUSET_NV_ATOMIC(and)
CUSET_NV_ATOMIC(or)
CUSET_NV_ATOMIC(xor)
CUSET_NV_ATOMIC(min)
CUSET_NV_ATOMIC(max)

#undef CUSET_NV_ATOMIC

template <class T>
CUSET_DEVICE_FUNCTION T __nv_atomic_load_n(T* address, int, int = 0) {
  return __atomic_load_n(address, __ATOMIC_SEQ_CST);
}
template <class T>
CUSET_DEVICE_FUNCTION void __nv_atomic_load(T* address, T* result, int, int = 0) {
  __atomic_load(address, result, __ATOMIC_SEQ_CST);
}
template <class T>
CUSET_DEVICE_FUNCTION void __nv_atomic_store_n(T* address, typename cuset_emulator::SameType<T>::Type value,
                                               int, int = 0) {
  __atomic_store_n(address, value, __ATOMIC_SEQ_CST);
}
template <class T>
CUSET_DEVICE_FUNCTION void __nv_atomic_store(T* address, T* value, int, int = 0) {
  __atomic_store(address, value, __ATOMIC_SEQ_CST);
}
template <class T>
CUSET_DEVICE_FUNCTION T __nv_atomic_exchange_n(T* address, typename cuset_emulator::SameType<T>::Type value,
                                               int, int = 0) {
  return __atomic_exchange_n(address, value, __ATOMIC_SEQ_CST);
}
template <class T>
CUSET_DEVICE_FUNCTION void __nv_atomic_exchange(T* address, T* value, T* result, int, int = 0) {
  __atomic_exchange(address, value, result, __ATOMIC_SEQ_CST);
}
template <class T>
CUSET_DEVICE_FUNCTION bool __nv_atomic_compare_exchange_n(T* address, T* expected,
                                                          typename cuset_emulator::SameType<T>::Type value,
                                                          bool, int, int, int = 0) {
  return __atomic_compare_exchange_n(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
template <class T>
CUSET_DEVICE_FUNCTION bool __nv_atomic_compare_exchange(T* address, T* expected, T* value, bool, int, int,
                                                        int = 0) {
  return __atomic_compare_exchange(address, expected, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}
CUSET_DEVICE_FUNCTION void __nv_atomic_thread_fence(int, int = 0) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }

#endif
