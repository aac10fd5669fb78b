// Arithmetic of float and double with every rounding, comparisons, and the functions that are exact.
#include "probe.h"

#define LIST(PROBE)                                                                                         \
  PROBE(fadd_rn, (Few<float>, Few<float>), __fadd_rn(x, y))                                                 \
  PROBE(fadd_rz, (Few<float>, Few<float>), __fadd_rz(x, y))                                                 \
  PROBE(fadd_ru, (Few<float>, Few<float>), __fadd_ru(x, y))                                                 \
  PROBE(fadd_rd, (Few<float>, Few<float>), __fadd_rd(x, y))                                                 \
  PROBE(fsub_rn, (Few<float>, Few<float>), __fsub_rn(x, y))                                                 \
  PROBE(fsub_rz, (Few<float>, Few<float>), __fsub_rz(x, y))                                                 \
  PROBE(fsub_ru, (Few<float>, Few<float>), __fsub_ru(x, y))                                                 \
  PROBE(fsub_rd, (Few<float>, Few<float>), __fsub_rd(x, y))                                                 \
  PROBE(fmul_rn, (Few<float>, Few<float>), __fmul_rn(x, y))                                                 \
  PROBE(fmul_rz, (Few<float>, Few<float>), __fmul_rz(x, y))                                                 \
  PROBE(fmul_ru, (Few<float>, Few<float>), __fmul_ru(x, y))                                                 \
  PROBE(fmul_rd, (Few<float>, Few<float>), __fmul_rd(x, y))                                                 \
  PROBE(fdiv_rn, (Few<float>, Few<float>), __fdiv_rn(x, y))                                                 \
  PROBE(fdiv_rz, (Few<float>, Few<float>), __fdiv_rz(x, y))                                                 \
  PROBE(fdiv_ru, (Few<float>, Few<float>), __fdiv_ru(x, y))                                                 \
  PROBE(fdiv_rd, (Few<float>, Few<float>), __fdiv_rd(x, y))                                                 \
  PROBE(fmaf_rn, (Few<float>, Few<float>, Few<float>), __fmaf_rn(x, y, z))                                  \
  PROBE(fsqrt_rn, (float), __fsqrt_rn(x))                                                                   \
  PROBE(frcp_rn, (float), __frcp_rn(x))                                                                     \
  PROBE(fmaf_rz, (Few<float>, Few<float>, Few<float>), __fmaf_rz(x, y, z))                                  \
  PROBE(fsqrt_rz, (float), __fsqrt_rz(x))                                                                   \
  PROBE(frcp_rz, (float), __frcp_rz(x))                                                                     \
  PROBE(fmaf_ru, (Few<float>, Few<float>, Few<float>), __fmaf_ru(x, y, z))                                  \
  PROBE(fsqrt_ru, (float), __fsqrt_ru(x))                                                                   \
  PROBE(frcp_ru, (float), __frcp_ru(x))                                                                     \
  PROBE(fmaf_rd, (Few<float>, Few<float>, Few<float>), __fmaf_rd(x, y, z))                                  \
  PROBE(fsqrt_rd, (float), __fsqrt_rd(x))                                                                   \
  PROBE(frcp_rd, (float), __frcp_rd(x))                                                                     \
  PROBE(fminf, (float, float), fminf(x, y))                                                                 \
  PROBE(fmaxf, (float, float), fmaxf(x, y))                                                                 \
  PROBE(fdimf, (float, float), fdimf(x, y))                                                                 \
  PROBE(copysignf, (float, float), copysignf(x, y))                                                         \
  PROBE(fmodf, (float, float), fmodf(x, y))                                                                 \
  PROBE(remainderf, (float, float), remainderf(x, y))                                                       \
  PROBE(nextafterf, (float, float), nextafterf(x, y))                                                       \
  PROBE(fabsf, (float), fabsf(x))                                                                           \
  PROBE(sqrtf, (float), sqrtf(x))                                                                           \
  PROBE(logbf, (float), logbf(x))                                                                           \
  PROBE(ilogbf, (float), ilogbf(x))                                                                         \
  PROBE(ldexpf, (float, Count), ldexpf(x, y.n * 3))                                                         \
  PROBE(scalbnf, (float, Count), scalbnf(x, -y.n))                                                          \
  PROBE(frexpf_fraction, (float), [](auto v) {                                                              \
    int e = 0;                                                                                              \
    return frexpf(v, &e);                                                                                   \
  }(x))                                                                                                     \
  PROBE(modff_whole, (float), [](auto v) {                                                                  \
    decltype(v) w = 0;                                                                                      \
    modff(v, &w);                                                                                           \
    return w;                                                                                               \
  }(x))                                                                                                     \
  PROBE(isnan_float, (float), (int)(bool)isnan(x))                                                          \
  PROBE(isinf_float, (float), (int)(bool)isinf(x))                                                          \
  PROBE(isfinite_float, (float), (int)(bool)isfinite(x))                                                    \
  PROBE(signbit_float, (float), (int)(bool)signbit(x))                                                      \
  PROBE(float_less, (float, float), (int)(x < y))                                                           \
  PROBE(float_equal, (float, float), (int)(x == y))                                                         \
  PROBE(float_unequal, (float, float), (int)(x != y))                                                       \
  PROBE(float_sum, (Few<float>, Few<float>), (float)x + (float)y)                                           \
  PROBE(float_quotient, (Few<float>, Few<float>), (float)x / (float)y)                                      \
  PROBE(float_product_and_sum, (Few<float>, Few<float>, Few<float>), (float)x*(float)y + (float)z)          \
  PROBE(float_product_and_difference, (Few<float>, Few<float>, Few<float>), (float)x*(float)y - (float)z)   \
  PROBE(float_difference_and_product, (Few<float>, Few<float>, Few<float>), (float)z - (float)x * (float)y) \
  PROBE(float_min_of_both, (float, float), min(x, y))                                                       \
  PROBE(float_max_of_both, (float, float), max(x, y))                                                       \
  PROBE(dadd_rn, (Few<double>, Few<double>), __dadd_rn(x, y))                                               \
  PROBE(dadd_rz, (Few<double>, Few<double>), __dadd_rz(x, y))                                               \
  PROBE(dadd_ru, (Few<double>, Few<double>), __dadd_ru(x, y))                                               \
  PROBE(dadd_rd, (Few<double>, Few<double>), __dadd_rd(x, y))                                               \
  PROBE(dsub_rn, (Few<double>, Few<double>), __dsub_rn(x, y))                                               \
  PROBE(dsub_rz, (Few<double>, Few<double>), __dsub_rz(x, y))                                               \
  PROBE(dsub_ru, (Few<double>, Few<double>), __dsub_ru(x, y))                                               \
  PROBE(dsub_rd, (Few<double>, Few<double>), __dsub_rd(x, y))                                               \
  PROBE(dmul_rn, (Few<double>, Few<double>), __dmul_rn(x, y))                                               \
  PROBE(dmul_rz, (Few<double>, Few<double>), __dmul_rz(x, y))                                               \
  PROBE(dmul_ru, (Few<double>, Few<double>), __dmul_ru(x, y))                                               \
  PROBE(dmul_rd, (Few<double>, Few<double>), __dmul_rd(x, y))                                               \
  PROBE(ddiv_rn, (Few<double>, Few<double>), __ddiv_rn(x, y))                                               \
  PROBE(ddiv_rz, (Few<double>, Few<double>), __ddiv_rz(x, y))                                               \
  PROBE(ddiv_ru, (Few<double>, Few<double>), __ddiv_ru(x, y))                                               \
  PROBE(ddiv_rd, (Few<double>, Few<double>), __ddiv_rd(x, y))                                               \
  PROBE(fma_rn, (Few<double>, Few<double>, Few<double>), __fma_rn(x, y, z))                                 \
  PROBE(dsqrt_rn, (double), __dsqrt_rn(x))                                                                  \
  PROBE(drcp_rn, (double), __drcp_rn(x))                                                                    \
  PROBE(fma_rz, (Few<double>, Few<double>, Few<double>), __fma_rz(x, y, z))                                 \
  PROBE(dsqrt_rz, (double), __dsqrt_rz(x))                                                                  \
  PROBE(drcp_rz, (double), __drcp_rz(x))                                                                    \
  PROBE(fma_ru, (Few<double>, Few<double>, Few<double>), __fma_ru(x, y, z))                                 \
  PROBE(dsqrt_ru, (double), __dsqrt_ru(x))                                                                  \
  PROBE(drcp_ru, (double), __drcp_ru(x))                                                                    \
  PROBE(fma_rd, (Few<double>, Few<double>, Few<double>), __fma_rd(x, y, z))                                 \
  PROBE(dsqrt_rd, (double), __dsqrt_rd(x))                                                                  \
  PROBE(drcp_rd, (double), __drcp_rd(x))                                                                    \
  PROBE(fmin, (double, double), fmin(x, y))                                                                 \
  PROBE(fmax, (double, double), fmax(x, y))                                                                 \
  PROBE(fdim, (double, double), fdim(x, y))                                                                 \
  PROBE(copysign, (double, double), copysign(x, y))                                                         \
  PROBE(fmod, (double, double), fmod(x, y))                                                                 \
  PROBE(remainder, (double, double), remainder(x, y))                                                       \
  PROBE(nextafter, (double, double), nextafter(x, y))                                                       \
  PROBE(fabs, (double), fabs(x))                                                                            \
  PROBE(sqrt, (double), sqrt(x))                                                                            \
  PROBE(logb, (double), logb(x))                                                                            \
  PROBE(ilogb, (double), ilogb(x))                                                                          \
  PROBE(ldexp, (double, Count), ldexp(x, y.n * 3))                                                          \
  PROBE(scalbn, (double, Count), scalbn(x, -y.n))                                                           \
  PROBE(frexp_fraction, (double), [](auto v) {                                                              \
    int e = 0;                                                                                              \
    return frexp(v, &e);                                                                                    \
  }(x))                                                                                                     \
  PROBE(modf_whole, (double), [](auto v) {                                                                  \
    decltype(v) w = 0;                                                                                      \
    modf(v, &w);                                                                                            \
    return w;                                                                                               \
  }(x))                                                                                                     \
  PROBE(isnan_double, (double), (int)(bool)isnan(x))                                                        \
  PROBE(isinf_double, (double), (int)(bool)isinf(x))                                                        \
  PROBE(isfinite_double, (double), (int)(bool)isfinite(x))                                                  \
  PROBE(signbit_double, (double), (int)(bool)signbit(x))                                                    \
  PROBE(double_less, (double, double), (int)(x < y))                                                        \
  PROBE(double_equal, (double, double), (int)(x == y))                                                      \
  PROBE(double_unequal, (double, double), (int)(x != y))                                                    \
  PROBE(double_sum, (Few<double>, Few<double>), (double)x + (double)y)                                      \
  PROBE(double_quotient, (Few<double>, Few<double>), (double)x / (double)y)                                 \
  PROBE(double_product_and_sum, (Few<double>, Few<double>, Few<double>), (double)x*(double)y + (double)z)   \
  PROBE(double_product_and_difference, (Few<double>, Few<double>, Few<double>),                             \
        (double)x*(double)y - (double)z)                                                                    \
  PROBE(double_difference_and_product, (Few<double>, Few<double>, Few<double>),                             \
        (double)z - (double)x * (double)y)                                                                  \
  PROBE(double_min_of_both, (double, double), min(x, y))                                                    \
  PROBE(double_max_of_both, (double, double), max(x, y))                                                    \
  PROBE(saturatef, (float), __saturatef(x))                                                                 \
  PROBE(frsqrt_rn, (float), __frsqrt_rn(x))                                                                 \
  PROBE(float_as_int, (float), __float_as_int(x))                                                           \
  PROBE(double_as_longlong, (double), __double_as_longlong(x))

RUN_PROBES
