// The C library in device code. Mathematics is callable from both sides; of the rest only what CUDA names:
// printf, malloc, free, assert, memory copies. Everything else stays host-only, so a kernel that calls it
// does not compile.
//
// The order matters: the device's overloads come between C's headers and C++'s, which copy names into std by
// using-declarations; what <cmath> includes besides mathematics is included first, outside of the pragma.
#pragma once

#include "cuset_emulator/qualifiers.h"

#if defined(__CUDA__)

#define _GLIBCXX_INCLUDE_NEXT_C_HEADERS
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#undef _GLIBCXX_INCLUDE_NEXT_C_HEADERS

extern "C" {
__device__ int printf(const char* __restrict format, ...);
__device__ int vprintf(const char* __restrict format, __builtin_va_list arguments);
__device__ void* malloc(__SIZE_TYPE__ bytes) noexcept;
__device__ void free(void* memory) noexcept;
__device__ void* memcpy(void* __restrict to, const void* __restrict from, __SIZE_TYPE__ bytes) noexcept;
__device__ void* memmove(void* to, const void* from, __SIZE_TYPE__ bytes) noexcept;
__device__ void* memset(void* to, int value, __SIZE_TYPE__ bytes) noexcept;
__device__ int memcmp(const void* a, const void* b, __SIZE_TYPE__ bytes) noexcept;
__device__ int abs(int value) noexcept;
__device__ long labs(long value) noexcept;
__device__ long long llabs(long long value) noexcept;
__device__ void __assert_fail(const char* expression, const char* file, unsigned line,
                              const char* function) noexcept __attribute__((noreturn));
}

#include <bits/stl_algobase.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <new>
#include <type_traits>
#include <utility>

#pragma clang force_cuda_host_device begin
#include <math.h>

#include <cmath>
#pragma clang force_cuda_host_device end

#include "cuset_emulator/math_inline.h"
#include "cuset_emulator/math_precision.h"

#include <cassert>
#include <cfloat>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

#else

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#endif
