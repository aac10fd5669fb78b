// CUDA's DPX functions: sums, maxima and minima in one, of a word or of its two halves. Sums wrap; `relu` means that a negative
// result becomes 0.
#pragma once

#include <cstdint>

#include "cuset_emulator/qualifiers.h"

#if defined(__CUDA__)

namespace cuset_emulator::dpx {

template <class T>
CUSET_BOTH_FUNCTION T wrapping_sum(T a, T b) {
  return static_cast<T>(static_cast<uint32_t>(a) + static_cast<uint32_t>(b));
}
template <class T>
CUSET_BOTH_FUNCTION T larger(T a, T b) {
  return a > b ? a : b;
}
template <class T>
CUSET_BOTH_FUNCTION T smaller(T a, T b) {
  return a < b ? a : b;
}

// `operation` of each half of the words, as numbers of type T.
template <class T, class Operation, class... Words>
CUSET_BOTH_FUNCTION uint32_t of_halves(Operation operation, Words... words) {
  const uint32_t low = static_cast<uint16_t>(operation(static_cast<T>(words)...));
  const uint32_t high = static_cast<uint16_t>(operation(static_cast<T>(words >> 16)...));
  return high << 16 | low;
}

}  // namespace cuset_emulator::dpx

#define CUSET_DPX_3(name, T, Half, formula)  \
  CUSET_DPX_WORD_3(__##name##32, T, formula) \
  CUSET_DPX_HALVES_3(__##name##16x2, Half, formula)
#define CUSET_DPX_WORD_3(name, T, formula) \
  CUSET_BOTH_FUNCTION T name(T a, T b, T c) { return formula; }
#define CUSET_DPX_HALVES_3(name, T, formula)                                                              \
  CUSET_BOTH_FUNCTION unsigned int name(unsigned int x, unsigned int y, unsigned int z) {                 \
    return cuset_emulator::dpx::of_halves<T>([](T a, T b, T c) { return static_cast<T>(formula); }, x, y, \
                                             z);                                                          \
  }
#define CUSET_DPX_2(name, T, formula) \
  CUSET_BOTH_FUNCTION T name(T a, T b) { return formula; }
#define CUSET_DPX_HALVES_2(name, T, formula)                                                          \
  CUSET_BOTH_FUNCTION unsigned int name(unsigned int x, unsigned int y) {                             \
    return cuset_emulator::dpx::of_halves<T>([](T a, T b) { return static_cast<T>(formula); }, x, y); \
  }
#define CUSET_SUM cuset_emulator::dpx::wrapping_sum
#define CUSET_MAX cuset_emulator::dpx::larger
#define CUSET_MIN cuset_emulator::dpx::smaller
#define CUSET_RELU(value) CUSET_MAX(value, decltype(a)(0))

CUSET_DPX_3(viaddmax_s, int, short, CUSET_MAX(CUSET_SUM(a, b), c))
CUSET_DPX_3(viaddmin_s, int, short, CUSET_MIN(CUSET_SUM(a, b), c))
CUSET_DPX_3(vimax3_s, int, short, CUSET_MAX(CUSET_MAX(a, b), c))
CUSET_DPX_3(vimin3_s, int, short, CUSET_MIN(CUSET_MIN(a, b), c))
CUSET_DPX_3(viaddmax_u, unsigned int, unsigned short, CUSET_MAX(CUSET_SUM(a, b), c))
CUSET_DPX_3(viaddmin_u, unsigned int, unsigned short, CUSET_MIN(CUSET_SUM(a, b), c))
CUSET_DPX_3(vimax3_u, unsigned int, unsigned short, CUSET_MAX(CUSET_MAX(a, b), c))
CUSET_DPX_3(vimin3_u, unsigned int, unsigned short, CUSET_MIN(CUSET_MIN(a, b), c))

CUSET_DPX_WORD_3(__viaddmax_s32_relu, int, CUSET_RELU(CUSET_MAX(CUSET_SUM(a, b), c)))
CUSET_DPX_WORD_3(__viaddmin_s32_relu, int, CUSET_RELU(CUSET_MIN(CUSET_SUM(a, b), c)))
CUSET_DPX_WORD_3(__vimax3_s32_relu, int, CUSET_RELU(CUSET_MAX(CUSET_MAX(a, b), c)))
CUSET_DPX_WORD_3(__vimin3_s32_relu, int, CUSET_RELU(CUSET_MIN(CUSET_MIN(a, b), c)))
CUSET_DPX_HALVES_3(__viaddmax_s16x2_relu, short, CUSET_RELU(CUSET_MAX(CUSET_SUM(a, b), c)))
CUSET_DPX_HALVES_3(__viaddmin_s16x2_relu, short, CUSET_RELU(CUSET_MIN(CUSET_SUM(a, b), c)))
CUSET_DPX_HALVES_3(__vimax3_s16x2_relu, short, CUSET_RELU(CUSET_MAX(CUSET_MAX(a, b), c)))
CUSET_DPX_HALVES_3(__vimin3_s16x2_relu, short, CUSET_RELU(CUSET_MIN(CUSET_MIN(a, b), c)))

CUSET_DPX_2(__vimax_s32_relu, int, CUSET_RELU(CUSET_MAX(a, b)))
CUSET_DPX_2(__vimin_s32_relu, int, CUSET_RELU(CUSET_MIN(a, b)))
CUSET_DPX_HALVES_2(__vimax_s16x2_relu, short, CUSET_RELU(CUSET_MAX(a, b)))
CUSET_DPX_HALVES_2(__vimin_s16x2_relu, short, CUSET_RELU(CUSET_MIN(a, b)))

// The larger or smaller of two, and whether it is the first.
#define CUSET_DPX_CHOICE(name, T, Half, comparison)                                                    \
  CUSET_BOTH_FUNCTION T name##32(T a, T b, bool* first) {                                              \
    *first = a comparison b;                                                                           \
    return *first ? a : b;                                                                             \
  }                                                                                                    \
  CUSET_BOTH_FUNCTION unsigned int name##16x2(unsigned int a, unsigned int b, bool* high, bool* low) { \
    *high = static_cast<Half>(a >> 16) comparison static_cast<Half>(b >> 16);                          \
    *low = static_cast<Half>(a) comparison static_cast<Half>(b);                                       \
    return ((*high ? a : b) & 0xffff0000u) | ((*low ? a : b) & 0xffffu);                               \
  }
CUSET_DPX_CHOICE(__vibmax_s, int, short, >=)
CUSET_DPX_CHOICE(__vibmin_s, int, short, <=)
CUSET_DPX_CHOICE(__vibmax_u, unsigned int, unsigned short, >=)
CUSET_DPX_CHOICE(__vibmin_u, unsigned int, unsigned short, <=)
#undef CUSET_DPX_CHOICE

#undef CUSET_DPX_3
#undef CUSET_DPX_WORD_3
#undef CUSET_DPX_HALVES_3
#undef CUSET_DPX_2
#undef CUSET_DPX_HALVES_2
#undef CUSET_SUM
#undef CUSET_MAX
#undef CUSET_MIN
#undef CUSET_RELU

#endif
