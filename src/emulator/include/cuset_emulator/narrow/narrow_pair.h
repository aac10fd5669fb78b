// The functions on pairs that __half2 and __nv_bfloat162 share by name. Use: CUSET_NARROW_PAIR(__half,
// __half2).
#pragma once

#include "cuset_emulator/narrow/narrow_scalar.h"

#define CUSET_PAIR_BINARY(N2, name, function) \
  CUSET_BOTH_FUNCTION N2 name(const N2 a, const N2 b) { return N2(function(a.x, b.x), function(a.y, b.y)); }
#define CUSET_PAIR_UNARY(N2, name, function) \
  CUSET_BOTH_FUNCTION N2 name(const N2 a) { return N2(function(a.x), function(a.y)); }
#define CUSET_PAIR_TERNARY(N2, name, function)                      \
  CUSET_BOTH_FUNCTION N2 name(const N2 a, const N2 b, const N2 c) { \
    return N2(function(a.x, b.x, c.x), function(a.y, b.y, c.y));    \
  }

#define CUSET_PAIR_OPERATOR(N2, symbol)                              \
  CUSET_BOTH_FUNCTION N2 operator symbol(const N2& a, const N2& b) { \
    return N2(a.x symbol b.x, a.y symbol b.y);                       \
  }                                                                  \
  CUSET_BOTH_FUNCTION N2& operator symbol##=(N2 & a, const N2 & b) { return a = a symbol b; }

#define CUSET_PAIR_OPERATORS(N, N2)                                               \
  CUSET_PAIR_OPERATOR(N2, +)                                                      \
  CUSET_PAIR_OPERATOR(N2, -)                                                      \
  CUSET_PAIR_OPERATOR(N2, *)                                                      \
  CUSET_PAIR_OPERATOR(N2, /)                                                      \
  CUSET_BOTH_FUNCTION N2 operator-(const N2& a) { return N2(-a.x, -a.y); }        \
  CUSET_BOTH_FUNCTION N2 operator+(const N2& a) { return a; }                     \
  CUSET_BOTH_FUNCTION N2& operator++(N2& a) { return a += N2(N(1.0f), N(1.0f)); } \
  CUSET_BOTH_FUNCTION N2& operator--(N2& a) { return a -= N2(N(1.0f), N(1.0f)); }

// A comparison of pairs as 1.0 or 0.0 for each part, as both at once (b), and as masks of 16 bits.
#define CUSET_PAIR_COMPARISON(N, N2, name, both, function)                                                   \
  CUSET_BOTH_FUNCTION N2 name(const N2 a, const N2 b) {                                                      \
    return N2(N(function(a.x, b.x) ? 1.0f : 0.0f), N(function(a.y, b.y) ? 1.0f : 0.0f));                     \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION bool both(const N2 a, const N2 b) { return function(a.x, b.x) && function(a.y, b.y); } \
  CUSET_BOTH_FUNCTION unsigned int name##_mask(const N2 a, const N2 b) {                                     \
    return (function(a.x, b.x) ? 0xffffu : 0u) | (function(a.y, b.y) ? 0xffff0000u : 0u);                    \
  }

#define CUSET_PAIR_COMPARISONS(N, N2)                                                      \
  CUSET_PAIR_COMPARISON(N, N2, __heq2, __hbeq2, __heq)                                     \
  CUSET_PAIR_COMPARISON(N, N2, __hne2, __hbne2, __hne)                                     \
  CUSET_PAIR_COMPARISON(N, N2, __hlt2, __hblt2, __hlt)                                     \
  CUSET_PAIR_COMPARISON(N, N2, __hle2, __hble2, __hle)                                     \
  CUSET_PAIR_COMPARISON(N, N2, __hgt2, __hbgt2, __hgt)                                     \
  CUSET_PAIR_COMPARISON(N, N2, __hge2, __hbge2, __hge)                                     \
  CUSET_PAIR_COMPARISON(N, N2, __hequ2, __hbequ2, __hequ)                                  \
  CUSET_PAIR_COMPARISON(N, N2, __hneu2, __hbneu2, __hneu)                                  \
  CUSET_PAIR_COMPARISON(N, N2, __hltu2, __hbltu2, __hltu)                                  \
  CUSET_PAIR_COMPARISON(N, N2, __hleu2, __hbleu2, __hleu)                                  \
  CUSET_PAIR_COMPARISON(N, N2, __hgtu2, __hbgtu2, __hgtu)                                  \
  CUSET_PAIR_COMPARISON(N, N2, __hgeu2, __hbgeu2, __hgeu)                                  \
  CUSET_BOTH_FUNCTION bool operator==(const N2& a, const N2& b) { return __hbeq2(a, b); }  \
  CUSET_BOTH_FUNCTION bool operator!=(const N2& a, const N2& b) { return __hbneu2(a, b); } \
  CUSET_BOTH_FUNCTION bool operator<(const N2& a, const N2& b) { return __hblt2(a, b); }   \
  CUSET_BOTH_FUNCTION bool operator<=(const N2& a, const N2& b) { return __hble2(a, b); }  \
  CUSET_BOTH_FUNCTION bool operator>(const N2& a, const N2& b) { return __hbgt2(a, b); }   \
  CUSET_BOTH_FUNCTION bool operator>=(const N2& a, const N2& b) { return __hbge2(a, b); }  \
  CUSET_BOTH_FUNCTION N2 __hisnan2(const N2 a) {                                           \
    return N2(N(__hisnan(a.x) ? 1.0f : 0.0f), N(__hisnan(a.y) ? 1.0f : 0.0f));             \
  }

#define CUSET_PAIR_ARITHMETIC(N, N2)                                                                     \
  CUSET_PAIR_BINARY(N2, __hadd2, __hadd)                                                                 \
  CUSET_PAIR_BINARY(N2, __hsub2, __hsub)                                                                 \
  CUSET_PAIR_BINARY(N2, __hmul2, __hmul)                                                                 \
  CUSET_PAIR_BINARY(N2, __h2div, __hdiv)                                                                 \
  CUSET_PAIR_BINARY(N2, __hadd2_rn, __hadd)                                                              \
  CUSET_PAIR_BINARY(N2, __hsub2_rn, __hsub)                                                              \
  CUSET_PAIR_BINARY(N2, __hmul2_rn, __hmul)                                                              \
  CUSET_PAIR_BINARY(N2, __hadd2_sat, __hadd_sat)                                                         \
  CUSET_PAIR_BINARY(N2, __hsub2_sat, __hsub_sat)                                                         \
  CUSET_PAIR_BINARY(N2, __hmul2_sat, __hmul_sat)                                                         \
  CUSET_PAIR_BINARY(N2, __hmax2, __hmax)                                                                 \
  CUSET_PAIR_BINARY(N2, __hmin2, __hmin)                                                                 \
  CUSET_PAIR_BINARY(N2, __hmax2_nan, __hmax_nan)                                                         \
  CUSET_PAIR_BINARY(N2, __hmin2_nan, __hmin_nan)                                                         \
  CUSET_PAIR_TERNARY(N2, __hfma2, __hfma)                                                                \
  CUSET_PAIR_TERNARY(N2, __hfma2_sat, __hfma_sat)                                                        \
  CUSET_PAIR_TERNARY(N2, __hfma2_relu, __hfma_relu)                                                      \
  CUSET_PAIR_UNARY(N2, __hneg2, __hneg)                                                                  \
  CUSET_PAIR_UNARY(N2, __habs2, __habs)                                                                  \
  /* (a.x + i a.y) (b.x + i b.y) + c, in two fused steps each. */                                        \
  CUSET_BOTH_FUNCTION N2 __hcmadd(const N2 a, const N2 b, const N2 c) {                                  \
    return N2(__hfma(__hneg(a.y), b.y, __hfma(a.x, b.x, c.x)), __hfma(a.y, b.x, __hfma(a.x, b.y, c.y))); \
  }

#define CUSET_PAIR_FUNCTIONS(N2)                    \
  CUSET_PAIR_UNARY(N2, h2sqrt, hsqrt)               \
  CUSET_PAIR_UNARY(N2, h2rsqrt, hrsqrt)             \
  CUSET_PAIR_UNARY(N2, h2rcp, hrcp)                 \
  CUSET_PAIR_UNARY(N2, h2exp, hexp)                 \
  CUSET_PAIR_UNARY(N2, h2exp2, hexp2)               \
  CUSET_PAIR_UNARY(N2, h2exp10, hexp10)             \
  CUSET_PAIR_UNARY(N2, h2log, hlog)                 \
  CUSET_PAIR_UNARY(N2, h2log2, hlog2)               \
  CUSET_PAIR_UNARY(N2, h2log10, hlog10)             \
  CUSET_PAIR_UNARY(N2, h2sin, hsin)                 \
  CUSET_PAIR_UNARY(N2, h2cos, hcos)                 \
  CUSET_PAIR_UNARY(N2, h2tanh, htanh)               \
  CUSET_PAIR_UNARY(N2, h2tanh_approx, htanh_approx) \
  CUSET_PAIR_UNARY(N2, h2ceil, hceil)               \
  CUSET_PAIR_UNARY(N2, h2floor, hfloor)             \
  CUSET_PAIR_UNARY(N2, h2trunc, htrunc)             \
  CUSET_PAIR_UNARY(N2, h2rint, hrint)

#define CUSET_NARROW_PAIR(N, N2) \
  CUSET_PAIR_OPERATORS(N, N2)    \
  CUSET_PAIR_COMPARISONS(N, N2)  \
  CUSET_PAIR_ARITHMETIC(N, N2)   \
  CUSET_PAIR_FUNCTIONS(N2)
