// Functions whose results may differ by the units in the last place that CUDA's programming guide states for the GPU, written in the probe's name.
#include "probe.h"

#define LIST(PROBE)                                      \
  PROBE(sinf_within_2, (float), sinf(x))                 \
  PROBE(sin_within_2, (double), sin(x))                  \
  PROBE(cosf_within_2, (float), cosf(x))                 \
  PROBE(cos_within_2, (double), cos(x))                  \
  PROBE(tanf_within_4, (float), tanf(x))                 \
  PROBE(tan_within_2, (double), tan(x))                  \
  PROBE(asinf_within_2, (float), asinf(x))               \
  PROBE(asin_within_2, (double), asin(x))                \
  PROBE(acosf_within_2, (float), acosf(x))               \
  PROBE(acos_within_2, (double), acos(x))                \
  PROBE(atanf_within_2, (float), atanf(x))               \
  PROBE(atan_within_2, (double), atan(x))                \
  PROBE(sinhf_within_3, (float), sinhf(x))               \
  PROBE(sinh_within_2, (double), sinh(x))                \
  PROBE(coshf_within_2, (float), coshf(x))               \
  PROBE(cosh_within_1, (double), cosh(x))                \
  PROBE(tanhf_within_2, (float), tanhf(x))               \
  PROBE(tanh_within_1, (double), tanh(x))                \
  PROBE(asinhf_within_3, (float), asinhf(x))             \
  PROBE(asinh_within_3, (double), asinh(x))              \
  PROBE(acoshf_within_4, (float), acoshf(x))             \
  PROBE(acosh_within_3, (double), acosh(x))              \
  PROBE(atanhf_within_3, (float), atanhf(x))             \
  PROBE(atanh_within_2, (double), atanh(x))              \
  PROBE(expf_within_1, (float), expf(x))                 \
  PROBE(exp_within_1, (double), exp(x))                  \
  PROBE(exp2f_within_2, (float), exp2f(x))               \
  PROBE(exp2_within_1, (double), exp2(x))                \
  PROBE(exp10f_within_2, (float), exp10f(x))             \
  PROBE(exp10_within_1, (double), exp10(x))              \
  PROBE(expm1f_within_1, (float), expm1f(x))             \
  PROBE(expm1_within_1, (double), expm1(x))              \
  PROBE(logf_within_1, (float), logf(x))                 \
  PROBE(log_within_1, (double), log(x))                  \
  PROBE(log2f_within_1, (float), log2f(x))               \
  PROBE(log2_within_1, (double), log2(x))                \
  PROBE(log10f_within_2, (float), log10f(x))             \
  PROBE(log10_within_1, (double), log10(x))              \
  PROBE(log1pf_within_1, (float), log1pf(x))             \
  PROBE(log1p_within_1, (double), log1p(x))              \
  PROBE(cbrtf_within_1, (float), cbrtf(x))               \
  PROBE(cbrt_within_1, (double), cbrt(x))                \
  PROBE(rcbrtf_within_1, (float), rcbrtf(x))             \
  PROBE(rcbrt_within_1, (double), rcbrt(x))              \
  PROBE(rsqrtf_within_2, (float), rsqrtf(x))             \
  PROBE(rsqrt_within_1, (double), rsqrt(x))              \
  PROBE(erff_within_2, (float), erff(x))                 \
  PROBE(erf_within_2, (double), erf(x))                  \
  PROBE(erfcf_within_4, (float), erfcf(x))               \
  PROBE(erfc_within_5, (double), erfc(x))                \
  PROBE(erfinvf_within_2, (float), erfinvf(x))           \
  PROBE(erfinv_within_5, (double), erfinv(x))            \
  PROBE(erfcinvf_within_4, (float), erfcinvf(x))         \
  PROBE(erfcinv_within_6, (double), erfcinv(x))          \
  PROBE(erfcxf_within_4, (float), erfcxf(x))             \
  PROBE(erfcx_within_4, (double), erfcx(x))              \
  PROBE(normcdff_within_5, (float), normcdff(x))         \
  PROBE(normcdf_within_5, (double), normcdf(x))          \
  PROBE(normcdfinvf_within_5, (float), normcdfinvf(x))   \
  PROBE(normcdfinv_within_7, (double), normcdfinv(x))    \
  PROBE(tgammaf_within_5, (float), tgammaf(x))           \
  PROBE(tgamma_within_10, (double), tgamma(x))           \
  PROBE(sinpif_within_1, (float), sinpif(x))             \
  PROBE(sinpi_within_2, (double), sinpi(x))              \
  PROBE(cospif_within_1, (float), cospif(x))             \
  PROBE(cospi_within_2, (double), cospi(x))              \
  PROBE(lgammaf_within_6, (float), lgammaf(x))           \
  PROBE(lgamma_within_4, (double), lgamma(x))            \
  PROBE(atan2f_within_3, (float, float), atan2f(x, y))   \
  PROBE(atan2_within_2, (double, double), atan2(x, y))   \
  PROBE(powf_within_4, (float, float), powf(x, y))       \
  PROBE(pow_within_2, (double, double), pow(x, y))       \
  PROBE(hypotf_within_3, (float, float), hypotf(x, y))   \
  PROBE(hypot_within_2, (double, double), hypot(x, y))   \
  PROBE(rhypotf_within_2, (float, float), rhypotf(x, y)) \
  PROBE(rhypot_within_1, (double, double), rhypot(x, y))

RUN_PROBES
