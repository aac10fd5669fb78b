// The functions that __half and __nv_bfloat16 share by name, for one of them: operators, arithmetic,
// comparison, functions. Use: CUSET_NARROW_SCALAR(__half).
#pragma once

#include "cuset_emulator/c_library.h"
#include "cuset_emulator/narrow/narrow_number.h"

// Under PyTorch only for N itself: its own half types convert to N as well as to float, and would not know what to compare as.
#ifdef CUSET_PYTORCH
#define CUSET_COMPARISON(N, symbol, function)                               \
  template <typename T>                                                     \
    requires __is_same                                                      \
  (T, N) CUSET_BOTH_FUNCTION bool operator symbol(const T& a, const T& b) { \
    return function(a, b);                                                  \
  }
#else
#define CUSET_COMPARISON(N, symbol, function) \
  CUSET_BOTH_FUNCTION bool operator symbol(const N& a, const N& b) { return function(a, b); }
#endif

#define CUSET_NARROW_OPERATOR(N, symbol, function)                                                         \
  CUSET_BOTH_FUNCTION N operator symbol(const N& a, const N& b) { return cuset_emulator::function(a, b); } \
  CUSET_BOTH_FUNCTION N& operator symbol##=(N & a, const N & b) { return a = a symbol b; }

#define CUSET_NARROW_OPERATORS(N)                                                                          \
  CUSET_NARROW_OPERATOR(N, +, narrow_add)                                                                  \
  CUSET_NARROW_OPERATOR(N, *, narrow_multiply)                                                             \
  CUSET_NARROW_OPERATOR(N, /, narrow_divide)                                                               \
  CUSET_BOTH_FUNCTION N operator-(const N& a) { return cuset_emulator::narrow_negate(a); }                 \
  CUSET_BOTH_FUNCTION N operator+(const N& a) { return a; }                                                \
  CUSET_BOTH_FUNCTION N operator-(const N& a, const N& b) {                                                \
    return N(cuset_emulator::uncontracted_sum(cuset_emulator::as_float(a), -cuset_emulator::as_float(b))); \
  }                                                                                                        \
  CUSET_BOTH_FUNCTION N& operator-=(N& a, const N& b) { return a = a - b; }                                \
  CUSET_BOTH_FUNCTION N& operator++(N& a) { return a += N(1.0f); }                                         \
  CUSET_BOTH_FUNCTION N& operator--(N& a) { return a -= N(1.0f); }                                         \
  CUSET_BOTH_FUNCTION N operator++(N& a, int) {                                                            \
    const N old = a;                                                                                       \
    ++a;                                                                                                   \
    return old;                                                                                            \
  }                                                                                                        \
  CUSET_BOTH_FUNCTION N operator--(N& a, int) {                                                            \
    const N old = a;                                                                                       \
    --a;                                                                                                   \
    return old;                                                                                            \
  }

// Ordered comparisons are false where a NaN is involved, unordered ones (with u) true.
#define CUSET_NARROW_COMPARISON(N, symbol, ordered, unordered)                                    \
  CUSET_BOTH_FUNCTION bool ordered(const N a, const N b) {                                        \
    return cuset_emulator::as_float(a) symbol cuset_emulator::as_float(b);                        \
  }                                                                                               \
  CUSET_BOTH_FUNCTION bool unordered(const N a, const N b) {                                      \
    return cuset_emulator::narrow_is_nan(a) || cuset_emulator::narrow_is_nan(b) || ordered(a, b); \
  }

#define CUSET_NARROW_COMPARISONS(N)                                                         \
  CUSET_NARROW_COMPARISON(N, ==, __heq, __hequ)                                             \
  CUSET_NARROW_COMPARISON(N, <, __hlt, __hltu)                                              \
  CUSET_NARROW_COMPARISON(N, <=, __hle, __hleu)                                             \
  CUSET_NARROW_COMPARISON(N, >, __hgt, __hgtu)                                              \
  CUSET_NARROW_COMPARISON(N, >=, __hge, __hgeu)                                             \
  CUSET_BOTH_FUNCTION bool __hneu(const N a, const N b) { return !__heq(a, b); }            \
  CUSET_BOTH_FUNCTION bool __hne(const N a, const N b) { return !__hequ(a, b); }            \
  CUSET_COMPARISON(N, ==, __heq)                                                            \
  CUSET_COMPARISON(N, !=, __hneu)                                                           \
  CUSET_COMPARISON(N, <, __hlt)                                                             \
  CUSET_COMPARISON(N, <=, __hle)                                                            \
  CUSET_COMPARISON(N, >, __hgt)                                                             \
  CUSET_COMPARISON(N, >=, __hge)                                                            \
  CUSET_BOTH_FUNCTION bool __hisnan(const N x) { return cuset_emulator::narrow_is_nan(x); } \
  CUSET_BOTH_FUNCTION int __hisinf(const N x) {                                             \
    const float value = cuset_emulator::as_float(x);                                        \
    return value == __builtin_inff() ? 1 : value == -__builtin_inff() ? -1 : 0;             \
  }

#define CUSET_NARROW_ARITHMETIC(N)                                                                          \
  CUSET_BOTH_FUNCTION N __hadd(const N a, const N b) { return a + b; }                                      \
  CUSET_BOTH_FUNCTION N __hsub(const N a, const N b) { return a - b; }                                      \
  CUSET_BOTH_FUNCTION N __hmul(const N a, const N b) { return a * b; }                                      \
  CUSET_BOTH_FUNCTION N __hdiv(const N a, const N b) { return a / b; }                                      \
  CUSET_BOTH_FUNCTION N __hadd_rn(const N a, const N b) { return a + b; }                                   \
  CUSET_BOTH_FUNCTION N __hsub_rn(const N a, const N b) { return a - b; }                                   \
  CUSET_BOTH_FUNCTION N __hmul_rn(const N a, const N b) { return a * b; }                                   \
  CUSET_BOTH_FUNCTION N __hadd_sat(const N a, const N b) { return cuset_emulator::narrow_saturate(a + b); } \
  CUSET_BOTH_FUNCTION N __hsub_sat(const N a, const N b) { return cuset_emulator::narrow_saturate(a - b); } \
  CUSET_BOTH_FUNCTION N __hmul_sat(const N a, const N b) { return cuset_emulator::narrow_saturate(a * b); } \
  CUSET_BOTH_FUNCTION N __hfma(const N a, const N b, const N c) {                                           \
    return cuset_emulator::narrow_fma(a, b, c);                                                             \
  }                                                                                                         \
  CUSET_BOTH_FUNCTION N __hfma_sat(const N a, const N b, const N c) {                                       \
    return cuset_emulator::narrow_saturate(cuset_emulator::narrow_fma(a, b, c));                            \
  }                                                                                                         \
  CUSET_BOTH_FUNCTION N __hfma_relu(const N a, const N b, const N c) {                                      \
    return cuset_emulator::narrow_relu(cuset_emulator::narrow_fma(a, b, c));                                \
  }                                                                                                         \
  CUSET_BOTH_FUNCTION N __hneg(const N x) { return cuset_emulator::narrow_negate(x); }                      \
  CUSET_BOTH_FUNCTION N __habs(const N x) { return cuset_emulator::narrow_abs(x); }                         \
  CUSET_BOTH_FUNCTION N __hmax(const N a, const N b) { return cuset_emulator::narrow_max(a, b); }           \
  CUSET_BOTH_FUNCTION N __hmin(const N a, const N b) { return cuset_emulator::narrow_min(a, b); }           \
  CUSET_BOTH_FUNCTION N __hmax_nan(const N a, const N b) {                                                  \
    return cuset_emulator::nan_if_any(a, b, cuset_emulator::narrow_max(a, b));                              \
  }                                                                                                         \
  CUSET_BOTH_FUNCTION N __hmin_nan(const N a, const N b) {                                                  \
    return cuset_emulator::nan_if_any(a, b, cuset_emulator::narrow_min(a, b));                              \
  }

// Computed in float: its own error is far below half a unit of the narrow formats.
#define CUSET_NARROW_FUNCTION(N, name, expression)    \
  CUSET_BOTH_FUNCTION N name(const N number) {        \
    const float x = cuset_emulator::as_float(number); \
    return N(expression);                             \
  }

#define CUSET_NARROW_FUNCTIONS(N)                     \
  CUSET_NARROW_FUNCTION(N, hsqrt, ::sqrtf(x))         \
  CUSET_NARROW_FUNCTION(N, hrsqrt, 1.0f / ::sqrtf(x)) \
  CUSET_NARROW_FUNCTION(N, hrcp, 1.0f / x)            \
  CUSET_NARROW_FUNCTION(N, hexp, ::expf(x))           \
  CUSET_NARROW_FUNCTION(N, hexp2, ::exp2f(x))         \
  CUSET_NARROW_FUNCTION(N, hexp10, ::exp10f(x))       \
  CUSET_NARROW_FUNCTION(N, hlog, ::logf(x))           \
  CUSET_NARROW_FUNCTION(N, hlog2, ::log2f(x))         \
  CUSET_NARROW_FUNCTION(N, hlog10, ::log10f(x))       \
  CUSET_NARROW_FUNCTION(N, hsin, ::sinf(x))           \
  CUSET_NARROW_FUNCTION(N, hcos, ::cosf(x))           \
  CUSET_NARROW_FUNCTION(N, htanh, ::tanhf(x))         \
  CUSET_NARROW_FUNCTION(N, htanh_approx, ::tanhf(x))  \
  CUSET_NARROW_FUNCTION(N, hceil, ::ceilf(x))         \
  CUSET_NARROW_FUNCTION(N, hfloor, ::floorf(x))       \
  CUSET_NARROW_FUNCTION(N, htrunc, ::truncf(x))       \
  CUSET_NARROW_FUNCTION(N, hrint, ::rintf(x))

#define CUSET_NARROW_SCALAR(N) \
  CUSET_NARROW_OPERATORS(N)    \
  CUSET_NARROW_COMPARISONS(N)  \
  CUSET_NARROW_ARITHMETIC(N)   \
  CUSET_NARROW_FUNCTIONS(N)
