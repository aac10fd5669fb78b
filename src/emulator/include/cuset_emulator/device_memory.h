// Loads and stores with cache hints, which a CPU does not have, questions about addresses, clocks and traps.
#pragma once

#include "cuset_emulator/abi.h"
#include "cuset_emulator/vector_types.h"

#if defined(__CUDA__)

#define CUSET_HINTED_LOADS(type)                                              \
  CUSET_DEVICE_FUNCTION type __ldg(const type* address) { return *address; }  \
  CUSET_DEVICE_FUNCTION type __ldca(const type* address) { return *address; } \
  CUSET_DEVICE_FUNCTION type __ldcg(const type* address) { return *address; } \
  CUSET_DEVICE_FUNCTION type __ldcs(const type* address) { return *address; } \
  CUSET_DEVICE_FUNCTION type __ldlu(const type* address) { return *address; } \
  CUSET_DEVICE_FUNCTION type __ldcv(const type* address) { return *address; }
#define CUSET_HINTED_STORES(type)                                                    \
  CUSET_DEVICE_FUNCTION void __stwb(type* address, type value) { *address = value; } \
  CUSET_DEVICE_FUNCTION void __stcg(type* address, type value) { *address = value; } \
  CUSET_DEVICE_FUNCTION void __stcs(type* address, type value) { *address = value; } \
  CUSET_DEVICE_FUNCTION void __stwt(type* address, type value) { *address = value; }
#define CUSET_HINTED_ACCESS(type) CUSET_HINTED_LOADS(type) CUSET_HINTED_STORES(type)

CUSET_HINTED_ACCESS(char)
CUSET_HINTED_ACCESS(signed char)
CUSET_HINTED_ACCESS(unsigned char)
CUSET_HINTED_ACCESS(short)
CUSET_HINTED_ACCESS(unsigned short)
CUSET_HINTED_ACCESS(int)
CUSET_HINTED_ACCESS(unsigned int)
CUSET_HINTED_ACCESS(long)
CUSET_HINTED_ACCESS(unsigned long)
CUSET_HINTED_ACCESS(long long)
CUSET_HINTED_ACCESS(unsigned long long)
CUSET_HINTED_ACCESS(float)
CUSET_HINTED_ACCESS(double)
CUSET_HINTED_ACCESS(char2)
CUSET_HINTED_ACCESS(char4)
CUSET_HINTED_ACCESS(uchar2)
CUSET_HINTED_ACCESS(uchar4)
CUSET_HINTED_ACCESS(short2)
CUSET_HINTED_ACCESS(short4)
CUSET_HINTED_ACCESS(ushort2)
CUSET_HINTED_ACCESS(ushort4)
CUSET_HINTED_ACCESS(int2)
CUSET_HINTED_ACCESS(int4)
CUSET_HINTED_ACCESS(uint2)
CUSET_HINTED_ACCESS(uint4)
CUSET_HINTED_ACCESS(longlong2)
CUSET_HINTED_ACCESS(ulonglong2)
CUSET_HINTED_ACCESS(float2)
CUSET_HINTED_ACCESS(float4)
CUSET_HINTED_ACCESS(double2)

CUSET_DEVICE_FUNCTION void __prefetch_global_l1(const void*) {}
CUSET_DEVICE_FUNCTION void __prefetch_global_l2(const void*) {}

// All addresses are generic on a CPU; what is the block's shared memory is known by range.
CUSET_DEVICE_FUNCTION unsigned int __isShared(const void* address) {
  const char* const shared = cuset_context.shared;
  const char* const end = shared + cuset_context.dynamic_shared_offset + cuset_context.dynamic_shared_size;
  return address >= shared && address < end;
}
CUSET_DEVICE_FUNCTION unsigned int __isGlobal(const void* address) { return !__isShared(address); }

// Addresses in the shared window start at 0.
CUSET_DEVICE_FUNCTION size_t __cvta_generic_to_shared(const void* address) {
  return static_cast<size_t>(static_cast<const char*>(address) - cuset_context.shared);
}
CUSET_DEVICE_FUNCTION void* __cvta_shared_to_generic(size_t address) {
  return cuset_context.shared + address;
}
CUSET_DEVICE_FUNCTION size_t __cvta_generic_to_global(const void* address) {
  return reinterpret_cast<size_t>(address);
}
CUSET_DEVICE_FUNCTION void* __cvta_global_to_generic(size_t address) {
  return reinterpret_cast<void*>(address);
}

CUSET_DEVICE_FUNCTION long long clock64() { return static_cast<long long>(cuset_device_clock()); }
CUSET_DEVICE_FUNCTION clock_t clock() { return static_cast<clock_t>(cuset_device_clock()); }
template <class = void>  // programs define a function of this name
CUSET_DEVICE_FUNCTION unsigned long long __globaltimer() {
  return cuset_device_global_timer();
}

CUSET_DEVICE_FUNCTION void __trap() { cuset_trap(); }
CUSET_DEVICE_FUNCTION void __brkpt() {}

#endif
