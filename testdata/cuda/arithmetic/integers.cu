// Shifts inside and outside of the width, and the integer intrinsics.
#include "probe.h"

#define LIST(PROBE)                                                                         \
  PROBE(shift_left_int, (int, Count), x << y.n)                                             \
  PROBE(shift_right_int, (int, Count), x >> y.n)                                            \
  PROBE(shift_left_unsigned, (unsigned, Count), x << y.n)                                   \
  PROBE(shift_right_unsigned, (unsigned, Count), x >> y.n)                                  \
  PROBE(shift_left_long, (long long, Count), x << y.n)                                      \
  PROBE(shift_right_long, (long long, Count), x >> y.n)                                     \
  PROBE(shift_left_unsigned_long, (unsigned long long, Count), x << y.n)                    \
  PROBE(shift_right_unsigned_long, (unsigned long long, Count), x >> y.n)                   \
  PROBE(shift_left_short, (int, Count), (short)((short)x << y.n))                           \
  PROBE(shift_right_short, (int, Count), (short)((short)x >> y.n))                          \
  PROBE(shift_right_char, (int, Count), (signed char)((signed char)x >> y.n))               \
  PROBE(shift_left_by_long, (unsigned, Count), x << (long long)y.n)                         \
  PROBE(shift_assigned, (int, Count), (x <<= y.n, x >>= 1))                                 \
  PROBE(mask_of_low_bits, (unsigned, Count), x & ((1u << y.n) - 1u))                        \
  PROBE(rotate_left, (unsigned, Count), (x << (y.n & 31)) | (x >> ((32 - y.n) & 31)))       \
  PROBE(int_product, (int, int), x* y)                                                      \
  PROBE(int_sum, (int, int), x + y)                                                         \
  PROBE(int_difference, (int, int), x - y)                                                  \
  PROBE(int_negative, (int), -x)                                                            \
  PROBE(int_abs, (int), abs(x))                                                             \
  PROBE(long_abs, (long long), llabs(x))                                                    \
  PROBE(int_min, (int, int), min(x, y))                                                     \
  PROBE(mixed_max, (int, unsigned), max(x, y))                                              \
  PROBE(unsigned_max, (unsigned, unsigned), max(x, y))                                      \
  PROBE(long_min, (long long, long long), min(x, y))                                        \
  PROBE(clz, (int), __clz(x))                                                               \
  PROBE(clzll, (long long), __clzll(x))                                                     \
  PROBE(ffs, (int), __ffs(x))                                                               \
  PROBE(ffsll, (long long), __ffsll(x))                                                     \
  PROBE(popc, (unsigned), __popc(x))                                                        \
  PROBE(popcll, (unsigned long long), __popcll(x))                                          \
  PROBE(brev, (unsigned), __brev(x))                                                        \
  PROBE(brevll, (unsigned long long), __brevll(x))                                          \
  PROBE(byte_perm, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __byte_perm(x, y, z))     \
  PROBE(funnelshift_l, (Few<unsigned>, Few<unsigned>, Count), __funnelshift_l(x, y, z.n))   \
  PROBE(funnelshift_lc, (Few<unsigned>, Few<unsigned>, Count), __funnelshift_lc(x, y, z.n)) \
  PROBE(funnelshift_r, (Few<unsigned>, Few<unsigned>, Count), __funnelshift_r(x, y, z.n))   \
  PROBE(funnelshift_rc, (Few<unsigned>, Few<unsigned>, Count), __funnelshift_rc(x, y, z.n)) \
  PROBE(mul24, (int, int), __mul24(x, y))                                                   \
  PROBE(umul24, (unsigned, unsigned), __umul24(x, y))                                       \
  PROBE(mulhi, (int, int), __mulhi(x, y))                                                   \
  PROBE(umulhi, (unsigned, unsigned), __umulhi(x, y))                                       \
  PROBE(mul64hi, (long long, long long), __mul64hi(x, y))                                   \
  PROBE(umul64hi, (unsigned long long, unsigned long long), __umul64hi(x, y))               \
  PROBE(sad, (Few<int>, Few<int>, Few<unsigned>), __sad(x, y, z))                           \
  PROBE(usad, (Few<unsigned>, Few<unsigned>, Few<unsigned>), __usad(x, y, z))               \
  PROBE(hadd, (int, int), __hadd(x, y))                                                     \
  PROBE(rhadd, (int, int), __rhadd(x, y))                                                   \
  PROBE(uhadd, (unsigned, unsigned), __uhadd(x, y))                                         \
  PROBE(urhadd, (unsigned, unsigned), __urhadd(x, y))                                       \
  PROBE(int_as_float, (int), __int_as_float(x))                                             \
  PROBE(uint_as_float, (unsigned), __uint_as_float(x))                                      \
  PROBE(longlong_as_double, (long long), __longlong_as_double(x))                           \
  PROBE(hiloint2double, (Few<int>, Few<int>), __hiloint2double(x, y))                       \
  PROBE(double2hiint, (double), __double2hiint(x))                                          \
  PROBE(double2loint, (double), __double2loint(x))                                          \
  PROBE(dp4a_signed, (Few<int>, Few<int>, Few<int>), __dp4a((int)x, (int)y, (int)z))        \
  PROBE(dp4a_unsigned, (Few<unsigned>, Few<unsigned>, Few<unsigned>),                       \
        __dp4a((unsigned)x, (unsigned)y, (unsigned)z))                                      \
  PROBE(dp2a_lo_signed, (Few<int>, Few<int>, Few<int>), __dp2a_lo((int)x, (int)y, (int)z))  \
  PROBE(dp2a_hi_unsigned, (Few<unsigned>, Few<unsigned>, Few<unsigned>),                    \
        __dp2a_hi((unsigned)x, (unsigned)y, (unsigned)z))

RUN_PROBES
