// Between numbers of different types, inside and outside of their ranges.
#include "probe.h"

#define LIST(PROBE)                                              \
  PROBE(float_cast_to_char, (float), (signed char)x)             \
  PROBE(float_cast_to_uchar, (float), (unsigned char)x)          \
  PROBE(float_cast_to_short, (float), (short)x)                  \
  PROBE(float_cast_to_ushort, (float), (unsigned short)x)        \
  PROBE(float_cast_to_int, (float), (int)x)                      \
  PROBE(float_cast_to_uint, (float), (unsigned)x)                \
  PROBE(float_cast_to_ll, (float), (long long)x)                 \
  PROBE(float_cast_to_ull, (float), (unsigned long long)x)       \
  PROBE(float2int_rn, (float), __float2int_rn(x))                \
  PROBE(float2int_rz, (float), __float2int_rz(x))                \
  PROBE(float2int_ru, (float), __float2int_ru(x))                \
  PROBE(float2int_rd, (float), __float2int_rd(x))                \
  PROBE(float2uint_rn, (float), __float2uint_rn(x))              \
  PROBE(float2uint_rz, (float), __float2uint_rz(x))              \
  PROBE(float2uint_ru, (float), __float2uint_ru(x))              \
  PROBE(float2uint_rd, (float), __float2uint_rd(x))              \
  PROBE(float2ll_rn, (float), __float2ll_rn(x))                  \
  PROBE(float2ll_rz, (float), __float2ll_rz(x))                  \
  PROBE(float2ll_ru, (float), __float2ll_ru(x))                  \
  PROBE(float2ll_rd, (float), __float2ll_rd(x))                  \
  PROBE(float2ull_rn, (float), __float2ull_rn(x))                \
  PROBE(float2ull_rz, (float), __float2ull_rz(x))                \
  PROBE(float2ull_ru, (float), __float2ull_ru(x))                \
  PROBE(float2ull_rd, (float), __float2ull_rd(x))                \
  PROBE(double_cast_to_char, (double), (signed char)x)           \
  PROBE(double_cast_to_uchar, (double), (unsigned char)x)        \
  PROBE(double_cast_to_short, (double), (short)x)                \
  PROBE(double_cast_to_ushort, (double), (unsigned short)x)      \
  PROBE(double_cast_to_int, (double), (int)x)                    \
  PROBE(double_cast_to_uint, (double), (unsigned)x)              \
  PROBE(double_cast_to_ll, (double), (long long)x)               \
  PROBE(double_cast_to_ull, (double), (unsigned long long)x)     \
  PROBE(double2int_rn, (double), __double2int_rn(x))             \
  PROBE(double2int_rz, (double), __double2int_rz(x))             \
  PROBE(double2int_ru, (double), __double2int_ru(x))             \
  PROBE(double2int_rd, (double), __double2int_rd(x))             \
  PROBE(double2uint_rn, (double), __double2uint_rn(x))           \
  PROBE(double2uint_rz, (double), __double2uint_rz(x))           \
  PROBE(double2uint_ru, (double), __double2uint_ru(x))           \
  PROBE(double2uint_rd, (double), __double2uint_rd(x))           \
  PROBE(double2ll_rn, (double), __double2ll_rn(x))               \
  PROBE(double2ll_rz, (double), __double2ll_rz(x))               \
  PROBE(double2ll_ru, (double), __double2ll_ru(x))               \
  PROBE(double2ll_rd, (double), __double2ll_rd(x))               \
  PROBE(double2ull_rn, (double), __double2ull_rn(x))             \
  PROBE(double2ull_rz, (double), __double2ull_rz(x))             \
  PROBE(double2ull_ru, (double), __double2ull_ru(x))             \
  PROBE(double2ull_rd, (double), __double2ull_rd(x))             \
  PROBE(lrintf, (float), lrintf(x))                              \
  PROBE(llrintf, (float), llrintf(x))                            \
  PROBE(lroundf, (float), lroundf(x))                            \
  PROBE(llroundf, (float), llroundf(x))                          \
  PROBE(rintf, (float), rintf(x))                                \
  PROBE(nearbyintf, (float), nearbyintf(x))                      \
  PROBE(roundf, (float), roundf(x))                              \
  PROBE(truncf, (float), truncf(x))                              \
  PROBE(ceilf, (float), ceilf(x))                                \
  PROBE(floorf, (float), floorf(x))                              \
  PROBE(lrint, (double), lrint(x))                               \
  PROBE(llrint, (double), llrint(x))                             \
  PROBE(lround, (double), lround(x))                             \
  PROBE(llround, (double), llround(x))                           \
  PROBE(rint, (double), rint(x))                                 \
  PROBE(nearbyint, (double), nearbyint(x))                       \
  PROBE(round, (double), round(x))                               \
  PROBE(trunc, (double), trunc(x))                               \
  PROBE(ceil, (double), ceil(x))                                 \
  PROBE(floor, (double), floor(x))                               \
  PROBE(int_cast_to_float, (int), (float)x)                      \
  PROBE(int_cast_to_double, (int), (double)x)                    \
  PROBE(int2float_rn, (int), __int2float_rn(x))                  \
  PROBE(int2float_rz, (int), __int2float_rz(x))                  \
  PROBE(int2float_ru, (int), __int2float_ru(x))                  \
  PROBE(int2float_rd, (int), __int2float_rd(x))                  \
  PROBE(uint_cast_to_float, (unsigned), (float)x)                \
  PROBE(uint_cast_to_double, (unsigned), (double)x)              \
  PROBE(uint2float_rn, (unsigned), __uint2float_rn(x))           \
  PROBE(uint2float_rz, (unsigned), __uint2float_rz(x))           \
  PROBE(uint2float_ru, (unsigned), __uint2float_ru(x))           \
  PROBE(uint2float_rd, (unsigned), __uint2float_rd(x))           \
  PROBE(ll_cast_to_float, (long long), (float)x)                 \
  PROBE(ll_cast_to_double, (long long), (double)x)               \
  PROBE(ll2float_rn, (long long), __ll2float_rn(x))              \
  PROBE(ll2double_rn, (long long), __ll2double_rn(x))            \
  PROBE(ll2float_rz, (long long), __ll2float_rz(x))              \
  PROBE(ll2double_rz, (long long), __ll2double_rz(x))            \
  PROBE(ll2float_ru, (long long), __ll2float_ru(x))              \
  PROBE(ll2double_ru, (long long), __ll2double_ru(x))            \
  PROBE(ll2float_rd, (long long), __ll2float_rd(x))              \
  PROBE(ll2double_rd, (long long), __ll2double_rd(x))            \
  PROBE(ull_cast_to_float, (unsigned long long), (float)x)       \
  PROBE(ull_cast_to_double, (unsigned long long), (double)x)     \
  PROBE(ull2float_rn, (unsigned long long), __ull2float_rn(x))   \
  PROBE(ull2double_rn, (unsigned long long), __ull2double_rn(x)) \
  PROBE(ull2float_rz, (unsigned long long), __ull2float_rz(x))   \
  PROBE(ull2double_rz, (unsigned long long), __ull2double_rz(x)) \
  PROBE(ull2float_ru, (unsigned long long), __ull2float_ru(x))   \
  PROBE(ull2double_ru, (unsigned long long), __ull2double_ru(x)) \
  PROBE(ull2float_rd, (unsigned long long), __ull2float_rd(x))   \
  PROBE(ull2double_rd, (unsigned long long), __ull2double_rd(x)) \
  PROBE(int2double_rn, (int), __int2double_rn(x))                \
  PROBE(uint2double_rn, (unsigned), __uint2double_rn(x))         \
  PROBE(double2float_rn, (double), __double2float_rn(x))         \
  PROBE(double2float_rz, (double), __double2float_rz(x))         \
  PROBE(double2float_ru, (double), __double2float_ru(x))         \
  PROBE(double2float_rd, (double), __double2float_rd(x))         \
  PROBE(double_cast_to_float, (double), (float)x)                \
  PROBE(float_cast_to_double, (float), (double)x)                \
  PROBE(float_to_bool, (float), (bool)x)                         \
  PROBE(float_to_int_sum, (float, int), (int)x + y)              \
  PROBE(float_to_uchar_through_int, (float), (unsigned char)(int)x)

RUN_PROBES
