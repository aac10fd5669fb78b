// Uniform, normal, log-normal and Poisson numbers from cuRAND's generators. Normal ones come in pairs (Box and
// Muller): the second of a pair is kept in the state. Poisson numbers are products of uniform ones (Knuth) up to a mean of 10, then
// Hoermann's transformed rejection PTRS ("The transformed rejection method for generating Poisson random variables", 1993).
#pragma once

#include "cuset_emulator/abi.h"
#include "cuset_emulator/c_library.h"
#include "cuset_emulator/math_functions.h"
#include "cuset_emulator/random/mrg32k3a.h"
#include "cuset_emulator/random/philox.h"
#include "cuset_emulator/random/xorwow.h"

namespace cuset_emulator {

CUSET_BOTH_FUNCTION float uniform_float(unsigned int x) {
  return static_cast<float>(x) * 0x1p-32f + 0x1p-33f;
}
CUSET_BOTH_FUNCTION double uniform_of_32_bits(unsigned int x) { return x * 0x1p-32 + 0x1p-32; }
CUSET_BOTH_FUNCTION double uniform_of_53_bits(unsigned int x, unsigned int y) {
  const unsigned long long bits = x ^ static_cast<unsigned long long>(y) << 21;
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

CUSET_BOTH_FUNCTION float2 normal_pair(unsigned int x, unsigned int y) {
  const float angle = static_cast<float>(y) * (0x1p-32f * 6.2831855f) + 0x1p-33f * 6.2831855f;
  const float radius = __builtin_sqrtf(-2.0f * ::logf(uniform_float(x)));
  float2 result;
  ::sincosf(angle, &result.x, &result.y);
  result.x *= radius;
  result.y *= radius;
  return result;
}

CUSET_BOTH_FUNCTION double2 normal_pair_double(const uint4& words) {
  const double radius = __builtin_sqrt(-2.0 * ::log(uniform_of_53_bits(words.x, words.y)));
  double2 result;
  sincospi(2.0 * uniform_of_53_bits(words.z, words.w), &result.x, &result.y);
  result.x *= radius;
  result.y *= radius;
  return result;
}

template <class State>
CUSET_BOTH_FUNCTION uint4 next_four(State* state) {
  const unsigned int a = curand(state), b = curand(state), c = curand(state);
  return uint4{a, b, c, curand(state)};
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned int x = curand(state);
  return cuset_emulator::uniform_of_53_bits(x, curand(state));
}
CUSET_BOTH_FUNCTION double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return cuset_emulator::uniform_of_32_bits(curand(state));
}
CUSET_BOTH_FUNCTION double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return cuset_emulator::uniform_of_32_bits(curand(state));
}

namespace cuset_emulator {

template <class State>
CUSET_BOTH_FUNCTION unsigned int poisson_by_products(State* state, double mean) {
  const double limit = ::exp(-mean);
  unsigned int count = 0;
  for (double product = curand_uniform_double(state); product > limit; ++count)
    product *= curand_uniform_double(state);
  return count;
}

template <class State>
CUSET_BOTH_FUNCTION unsigned int poisson_by_rejection(State* state, double mean) {
  const double b = 0.931 + 2.53 * __builtin_sqrt(mean), a = -0.059 + 0.02483 * b;
  const double inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), quick = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    const double u = curand_uniform_double(state) - 0.5, v = curand_uniform_double(state);
    const double edge = 0.5 - ::fabs(u);
    const double k = ::floor((2 * a / edge + b) * u + mean + 0.43);
    if (edge >= 0.07 && v <= quick) return static_cast<unsigned int>(k);
    if (k < 0 || (edge < 0.013 && v > edge)) continue;
    if (::log(v * inverse_alpha / (a / (edge * edge) + b)) <= k * ::log(mean) - mean - ::lgamma(k + 1))
      return static_cast<unsigned int>(k);
  }
}

}  // namespace cuset_emulator

#define CUSET_DISTRIBUTIONS(State)                                                                   \
  CUSET_BOTH_FUNCTION float curand_uniform(State* state) {                                           \
    return cuset_emulator::uniform_float(curand(state));                                             \
  }                                                                                                  \
  CUSET_BOTH_FUNCTION float2 curand_normal2(State* state) {                                          \
    const unsigned int x = curand(state);                                                            \
    return cuset_emulator::normal_pair(x, curand(state));                                            \
  }                                                                                                  \
  CUSET_BOTH_FUNCTION double2 curand_normal2_double(State* state) {                                  \
    return cuset_emulator::normal_pair_double(cuset_emulator::next_four(state));                     \
  }                                                                                                  \
  CUSET_BOTH_FUNCTION float curand_normal(State* state) {                                            \
    state->boxmuller_flag = !state->boxmuller_flag;                                                  \
    if (!state->boxmuller_flag) return state->boxmuller_extra;                                       \
    const float2 pair = curand_normal2(state);                                                       \
    state->boxmuller_extra = pair.y;                                                                 \
    return pair.x;                                                                                   \
  }                                                                                                  \
  CUSET_BOTH_FUNCTION double curand_normal_double(State* state) {                                    \
    state->boxmuller_flag_double = !state->boxmuller_flag_double;                                    \
    if (!state->boxmuller_flag_double) return state->boxmuller_extra_double;                         \
    const double2 pair = curand_normal2_double(state);                                               \
    state->boxmuller_extra_double = pair.y;                                                          \
    return pair.x;                                                                                   \
  }                                                                                                  \
  CUSET_BOTH_FUNCTION float curand_log_normal(State* state, float mean, float deviation) {           \
    return ::expf(mean + deviation * curand_normal(state));                                          \
  }                                                                                                  \
  CUSET_BOTH_FUNCTION double curand_log_normal_double(State* state, double mean, double deviation) { \
    return ::exp(mean + deviation * curand_normal_double(state));                                    \
  }                                                                                                  \
  CUSET_BOTH_FUNCTION unsigned int curand_poisson(State* state, double mean) {                       \
    return mean < 10 ? cuset_emulator::poisson_by_products(state, mean)                              \
                     : cuset_emulator::poisson_by_rejection(state, mean);                            \
  }

CUSET_DISTRIBUTIONS(curandStateXORWOW_t)
CUSET_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
CUSET_DISTRIBUTIONS(curandStateMRG32k3a_t)

#undef CUSET_DISTRIBUTIONS

CUSET_BOTH_FUNCTION float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return float4{cuset_emulator::uniform_float(x.x), cuset_emulator::uniform_float(x.y),
                cuset_emulator::uniform_float(x.z), cuset_emulator::uniform_float(x.w)};
}

CUSET_BOTH_FUNCTION float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  const float2 a = cuset_emulator::normal_pair(x.x, x.y);
  const float2 b = cuset_emulator::normal_pair(x.z, x.w);
  return float4{a.x, a.y, b.x, b.y};
}

CUSET_BOTH_FUNCTION uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double mean) {
  const unsigned int a = curand_poisson(state, mean), b = curand_poisson(state, mean);
  const unsigned int c = curand_poisson(state, mean);
  return uint4{a, b, c, curand_poisson(state, mean)};
}

CUSET_BOTH_FUNCTION double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return double2{cuset_emulator::uniform_of_53_bits(x.x, x.y), cuset_emulator::uniform_of_53_bits(x.z, x.w)};
}
