// Half precision and bfloat16.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include "probe.h"

// By their bits, so that no conversion of the host takes part.
struct Half {
  unsigned short bits;
  __device__ operator __half() const { return __ushort_as_half(bits); }
};
struct Brain {
  unsigned short bits;
  __device__ operator __nv_bfloat16() const { return __ushort_as_bfloat16(bits); }
};
template <>
inline Values<Half> values_of() {
  Values<Half> list{{}, 0};
  for (const int bits : {0x0000, 0x8000, 0x0001, 0x03ff, 0x3c00, 0xbe00, 0x4248, 0x2e66, 0x5640, 0xfbff,
                         0x7bff, 0x7c00, 0xfc00, 0x7e00})
    list.value[list.count++].bits = static_cast<unsigned short>(bits);
  return list;
}
template <>
inline Values<Brain> values_of() {
  Values<Brain> list{{}, 0};
  for (const int bits : {0x0000, 0x8000, 0x0001, 0x3f80, 0xbfc0, 0x4049, 0x3dcd, 0x42c8, 0x7f7f, 0xff7f,
                         0x7f80, 0xff80, 0x7fc0})
    list.value[list.count++].bits = static_cast<unsigned short>(bits);
  return list;
}

#define LIST(PROBE)                                                                                  \
  PROBE(hadd_half, (Half, Half), __hadd((__half)x, (__half)y))                                       \
  PROBE(hsub_half, (Half, Half), __hsub((__half)x, (__half)y))                                       \
  PROBE(hmul_half, (Half, Half), __hmul((__half)x, (__half)y))                                       \
  PROBE(hdiv_half, (Half, Half), __hdiv((__half)x, (__half)y))                                       \
  PROBE(hmax_half, (Half, Half), __hmax((__half)x, (__half)y))                                       \
  PROBE(hmin_half, (Half, Half), __hmin((__half)x, (__half)y))                                       \
  PROBE(hmax_nan_half, (Half, Half), __hmax_nan((__half)x, (__half)y))                               \
  PROBE(hmin_nan_half, (Half, Half), __hmin_nan((__half)x, (__half)y))                               \
  PROBE(hadd_sat_half, (Half, Half), __hadd_sat((__half)x, (__half)y))                               \
  PROBE(hmul_sat_half, (Half, Half), __hmul_sat((__half)x, (__half)y))                               \
  PROBE(heq_half, (Half, Half), (int)__heq((__half)x, (__half)y))                                    \
  PROBE(hne_half, (Half, Half), (int)__hne((__half)x, (__half)y))                                    \
  PROBE(hlt_half, (Half, Half), (int)__hlt((__half)x, (__half)y))                                    \
  PROBE(hle_half, (Half, Half), (int)__hle((__half)x, (__half)y))                                    \
  PROBE(hgt_half, (Half, Half), (int)__hgt((__half)x, (__half)y))                                    \
  PROBE(hge_half, (Half, Half), (int)__hge((__half)x, (__half)y))                                    \
  PROBE(hequ_half, (Half, Half), (int)__hequ((__half)x, (__half)y))                                  \
  PROBE(hltu_half, (Half, Half), (int)__hltu((__half)x, (__half)y))                                  \
  PROBE(hgtu_half, (Half, Half), (int)__hgtu((__half)x, (__half)y))                                  \
  PROBE(hneg_half, (Half), __hneg((__half)x))                                                        \
  PROBE(habs_half, (Half), __habs((__half)x))                                                        \
  PROBE(hsqrt_half, (Half), hsqrt((__half)x))                                                        \
  PROBE(hrcp_half, (Half), hrcp((__half)x))                                                          \
  PROBE(hceil_half, (Half), hceil((__half)x))                                                        \
  PROBE(hfloor_half, (Half), hfloor((__half)x))                                                      \
  PROBE(hrint_half, (Half), hrint((__half)x))                                                        \
  PROBE(htrunc_half, (Half), htrunc((__half)x))                                                      \
  PROBE(hisnan_half, (Half), (int)__hisnan((__half)x))                                               \
  PROBE(float2half_rn, (float), __float2half_rn(x))                                                  \
  PROBE(float2half_rz, (float), __float2half_rz(x))                                                  \
  PROBE(float2half_ru, (float), __float2half_ru(x))                                                  \
  PROBE(float2half_rd, (float), __float2half_rd(x))                                                  \
  PROBE(half2int_rn, (Half), __half2int_rn((__half)x))                                               \
  PROBE(half2int_rz, (Half), __half2int_rz((__half)x))                                               \
  PROBE(half2int_ru, (Half), __half2int_ru((__half)x))                                               \
  PROBE(half2int_rd, (Half), __half2int_rd((__half)x))                                               \
  PROBE(half2uint_rn, (Half), __half2uint_rn((__half)x))                                             \
  PROBE(half2uint_rz, (Half), __half2uint_rz((__half)x))                                             \
  PROBE(half2uint_ru, (Half), __half2uint_ru((__half)x))                                             \
  PROBE(half2uint_rd, (Half), __half2uint_rd((__half)x))                                             \
  PROBE(half2short_rn, (Half), __half2short_rn((__half)x))                                           \
  PROBE(half2short_rz, (Half), __half2short_rz((__half)x))                                           \
  PROBE(half2short_ru, (Half), __half2short_ru((__half)x))                                           \
  PROBE(half2short_rd, (Half), __half2short_rd((__half)x))                                           \
  PROBE(half2ushort_rn, (Half), __half2ushort_rn((__half)x))                                         \
  PROBE(half2ushort_rz, (Half), __half2ushort_rz((__half)x))                                         \
  PROBE(half2ushort_ru, (Half), __half2ushort_ru((__half)x))                                         \
  PROBE(half2ushort_rd, (Half), __half2ushort_rd((__half)x))                                         \
  PROBE(half2ll_rn, (Half), __half2ll_rn((__half)x))                                                 \
  PROBE(half2ll_rz, (Half), __half2ll_rz((__half)x))                                                 \
  PROBE(half2ll_ru, (Half), __half2ll_ru((__half)x))                                                 \
  PROBE(half2ll_rd, (Half), __half2ll_rd((__half)x))                                                 \
  PROBE(int2half_rn, (int), __int2half_rn(x))                                                        \
  PROBE(uint2half_rn, (unsigned), __uint2half_rn(x))                                                 \
  PROBE(ll2half_rn, (long long), __ll2half_rn(x))                                                    \
  PROBE(double2half, (double), __double2half(x))                                                     \
  PROBE(half2float, (Half), __half2float((__half)x))                                                 \
  PROBE(half_sum, (Half, Half), (__half)x + (__half)y)                                               \
  PROBE(half_quotient, (Half, Half), (__half)x / (__half)y)                                          \
  PROBE(hadd_bfloat16, (Brain, Brain), __hadd((__nv_bfloat16)x, (__nv_bfloat16)y))                   \
  PROBE(hsub_bfloat16, (Brain, Brain), __hsub((__nv_bfloat16)x, (__nv_bfloat16)y))                   \
  PROBE(hmul_bfloat16, (Brain, Brain), __hmul((__nv_bfloat16)x, (__nv_bfloat16)y))                   \
  PROBE(hdiv_bfloat16, (Brain, Brain), __hdiv((__nv_bfloat16)x, (__nv_bfloat16)y))                   \
  PROBE(hmax_bfloat16, (Brain, Brain), __hmax((__nv_bfloat16)x, (__nv_bfloat16)y))                   \
  PROBE(hmin_bfloat16, (Brain, Brain), __hmin((__nv_bfloat16)x, (__nv_bfloat16)y))                   \
  PROBE(hmax_nan_bfloat16, (Brain, Brain), __hmax_nan((__nv_bfloat16)x, (__nv_bfloat16)y))           \
  PROBE(hmin_nan_bfloat16, (Brain, Brain), __hmin_nan((__nv_bfloat16)x, (__nv_bfloat16)y))           \
  PROBE(hadd_sat_bfloat16, (Brain, Brain), __hadd_sat((__nv_bfloat16)x, (__nv_bfloat16)y))           \
  PROBE(hmul_sat_bfloat16, (Brain, Brain), __hmul_sat((__nv_bfloat16)x, (__nv_bfloat16)y))           \
  PROBE(heq_bfloat16, (Brain, Brain), (int)__heq((__nv_bfloat16)x, (__nv_bfloat16)y))                \
  PROBE(hne_bfloat16, (Brain, Brain), (int)__hne((__nv_bfloat16)x, (__nv_bfloat16)y))                \
  PROBE(hlt_bfloat16, (Brain, Brain), (int)__hlt((__nv_bfloat16)x, (__nv_bfloat16)y))                \
  PROBE(hle_bfloat16, (Brain, Brain), (int)__hle((__nv_bfloat16)x, (__nv_bfloat16)y))                \
  PROBE(hgt_bfloat16, (Brain, Brain), (int)__hgt((__nv_bfloat16)x, (__nv_bfloat16)y))                \
  PROBE(hge_bfloat16, (Brain, Brain), (int)__hge((__nv_bfloat16)x, (__nv_bfloat16)y))                \
  PROBE(hequ_bfloat16, (Brain, Brain), (int)__hequ((__nv_bfloat16)x, (__nv_bfloat16)y))              \
  PROBE(hltu_bfloat16, (Brain, Brain), (int)__hltu((__nv_bfloat16)x, (__nv_bfloat16)y))              \
  PROBE(hgtu_bfloat16, (Brain, Brain), (int)__hgtu((__nv_bfloat16)x, (__nv_bfloat16)y))              \
  PROBE(hneg_bfloat16, (Brain), __hneg((__nv_bfloat16)x))                                            \
  PROBE(habs_bfloat16, (Brain), __habs((__nv_bfloat16)x))                                            \
  PROBE(hsqrt_bfloat16, (Brain), hsqrt((__nv_bfloat16)x))                                            \
  PROBE(hrcp_bfloat16, (Brain), hrcp((__nv_bfloat16)x))                                              \
  PROBE(hceil_bfloat16, (Brain), hceil((__nv_bfloat16)x))                                            \
  PROBE(hfloor_bfloat16, (Brain), hfloor((__nv_bfloat16)x))                                          \
  PROBE(hrint_bfloat16, (Brain), hrint((__nv_bfloat16)x))                                            \
  PROBE(htrunc_bfloat16, (Brain), htrunc((__nv_bfloat16)x))                                          \
  PROBE(hisnan_bfloat16, (Brain), (int)__hisnan((__nv_bfloat16)x))                                   \
  PROBE(float2bfloat16_rn, (float), __float2bfloat16_rn(x))                                          \
  PROBE(float2bfloat16_rz, (float), __float2bfloat16_rz(x))                                          \
  PROBE(float2bfloat16_ru, (float), __float2bfloat16_ru(x))                                          \
  PROBE(float2bfloat16_rd, (float), __float2bfloat16_rd(x))                                          \
  PROBE(bfloat162int_rn, (Brain), __bfloat162int_rn((__nv_bfloat16)x))                               \
  PROBE(bfloat162int_rz, (Brain), __bfloat162int_rz((__nv_bfloat16)x))                               \
  PROBE(bfloat162int_ru, (Brain), __bfloat162int_ru((__nv_bfloat16)x))                               \
  PROBE(bfloat162int_rd, (Brain), __bfloat162int_rd((__nv_bfloat16)x))                               \
  PROBE(bfloat162uint_rn, (Brain), __bfloat162uint_rn((__nv_bfloat16)x))                             \
  PROBE(bfloat162uint_rz, (Brain), __bfloat162uint_rz((__nv_bfloat16)x))                             \
  PROBE(bfloat162uint_ru, (Brain), __bfloat162uint_ru((__nv_bfloat16)x))                             \
  PROBE(bfloat162uint_rd, (Brain), __bfloat162uint_rd((__nv_bfloat16)x))                             \
  PROBE(bfloat162short_rn, (Brain), __bfloat162short_rn((__nv_bfloat16)x))                           \
  PROBE(bfloat162short_rz, (Brain), __bfloat162short_rz((__nv_bfloat16)x))                           \
  PROBE(bfloat162short_ru, (Brain), __bfloat162short_ru((__nv_bfloat16)x))                           \
  PROBE(bfloat162short_rd, (Brain), __bfloat162short_rd((__nv_bfloat16)x))                           \
  PROBE(bfloat162ushort_rn, (Brain), __bfloat162ushort_rn((__nv_bfloat16)x))                         \
  PROBE(bfloat162ushort_rz, (Brain), __bfloat162ushort_rz((__nv_bfloat16)x))                         \
  PROBE(bfloat162ushort_ru, (Brain), __bfloat162ushort_ru((__nv_bfloat16)x))                         \
  PROBE(bfloat162ushort_rd, (Brain), __bfloat162ushort_rd((__nv_bfloat16)x))                         \
  PROBE(bfloat162ll_rn, (Brain), __bfloat162ll_rn((__nv_bfloat16)x))                                 \
  PROBE(bfloat162ll_rz, (Brain), __bfloat162ll_rz((__nv_bfloat16)x))                                 \
  PROBE(bfloat162ll_ru, (Brain), __bfloat162ll_ru((__nv_bfloat16)x))                                 \
  PROBE(bfloat162ll_rd, (Brain), __bfloat162ll_rd((__nv_bfloat16)x))                                 \
  PROBE(int2bfloat16_rn, (int), __int2bfloat16_rn(x))                                                \
  PROBE(uint2bfloat16_rn, (unsigned), __uint2bfloat16_rn(x))                                         \
  PROBE(ll2bfloat16_rn, (long long), __ll2bfloat16_rn(x))                                            \
  PROBE(double2bfloat16, (double), __double2bfloat16(x))                                             \
  PROBE(bfloat162float, (Brain), __bfloat162float((__nv_bfloat16)x))                                 \
  PROBE(bfloat16_sum, (Brain, Brain), (__nv_bfloat16)x + (__nv_bfloat16)y)                           \
  PROBE(bfloat16_quotient, (Brain, Brain), (__nv_bfloat16)x / (__nv_bfloat16)y)                      \
  PROBE(hfma_half, (Half, Half), __hfma((__half)x, (__half)y, (__half)x))                            \
  PROBE(hfma_bfloat16, (Brain, Brain), __hfma((__nv_bfloat16)x, (__nv_bfloat16)y, (__nv_bfloat16)x)) \
  PROBE(half_cast_to_int, (Half), (int)(__half)x)                                                    \
  PROBE(half_cast_to_char, (Half), (signed char)(__half)x)

RUN_PROBES
