// SIMD within a word: four bytes or two half words at once, __vadd4 to __vsadu2.
#pragma once

#include "cuset_emulator/integer_intrinsics.h"

namespace cuset_emulator {

// Applies `operation` to the elements of two words; its results are cut to the element's width.
template <class Element, class Operation>
CUSET_BOTH_FUNCTION unsigned int each_element(unsigned int a, unsigned int b, Operation operation) {
  const int width = 8 * static_cast<int>(sizeof(Element));
  const unsigned int mask = (1u << width) - 1u;
  unsigned int result = 0;
  for (int i = 0; i < 32 / width; ++i) {
    const int value = operation(packed_element<Element>(a, i), packed_element<Element>(b, i));
    result |= (static_cast<unsigned int>(value) & mask) << i * width;
  }
  return result;
}

// The nearest value that fits into the element.
template <class Element>
CUSET_BOTH_FUNCTION int clamp_to(int value) {
  const bool is_signed = static_cast<Element>(-1) < static_cast<Element>(0);
  const int bits = 8 * static_cast<int>(sizeof(Element)) - (is_signed ? 1 : 0);
  const int greatest = (1 << bits) - 1;
  const int least = is_signed ? -greatest - 1 : 0;
  return value < least ? least : value > greatest ? greatest : value;
}

template <class Element>
CUSET_BOTH_FUNCTION unsigned int sum_of_differences(unsigned int a, unsigned int b) {
  unsigned int sum = 0;
  for (int i = 0; i < 4 / static_cast<int>(sizeof(Element)); ++i) {
    const int difference = packed_element<Element>(a, i) - packed_element<Element>(b, i);
    sum += static_cast<unsigned int>(difference < 0 ? -difference : difference);
  }
  return sum;
}

}  // namespace cuset_emulator

// `x` and `y` are the elements of the two words.
#define CUSET_SIMD(name, Element, expression)                                                                \
  CUSET_BOTH_FUNCTION unsigned int name(unsigned int a, unsigned int b) {                                    \
    return cuset_emulator::each_element<Element>(a, b,                                                       \
                                                 [](int x, int y) { return static_cast<int>(expression); }); \
  }
#define CUSET_SIMD_UNARY(name, Element, expression)                                                        \
  CUSET_BOTH_FUNCTION unsigned int name(unsigned int a) {                                                  \
    return cuset_emulator::each_element<Element>(a, a,                                                     \
                                                 [](int x, int) { return static_cast<int>(expression); }); \
  }
#define CUSET_SIMD_COMPARISON(name, count, Element, comparison)       \
  CUSET_SIMD(__vcmp##name##count, Element, (x comparison y) ? -1 : 0) \
  CUSET_SIMD(__vset##name##count, Element, (x comparison y) ? 1 : 0)

#define CUSET_SIMD_FAMILY(count, Signed, Unsigned)                                            \
  CUSET_SIMD(__vadd##count, Unsigned, x + y)                                                  \
  CUSET_SIMD(__vaddss##count, Signed, cuset_emulator::clamp_to<Signed>(x + y))                \
  CUSET_SIMD(__vaddus##count, Unsigned, cuset_emulator::clamp_to<Unsigned>(x + y))            \
  CUSET_SIMD(__vsub##count, Unsigned, x - y)                                                  \
  CUSET_SIMD(__vsubss##count, Signed, cuset_emulator::clamp_to<Signed>(x - y))                \
  CUSET_SIMD(__vsubus##count, Unsigned, cuset_emulator::clamp_to<Unsigned>(x - y))            \
  CUSET_SIMD(__vabsdiffs##count, Signed, x > y ? x - y : y - x)                               \
  CUSET_SIMD(__vabsdiffu##count, Unsigned, x > y ? x - y : y - x)                             \
  CUSET_SIMD(__vavgs##count, Signed, (x + y + (x + y >= 0 ? 1 : 0)) >> 1)                     \
  CUSET_SIMD(__vavgu##count, Unsigned, (x + y + 1) >> 1)                                      \
  CUSET_SIMD(__vhaddu##count, Unsigned, (x + y) >> 1)                                         \
  CUSET_SIMD(__vmaxs##count, Signed, x > y ? x : y)                                           \
  CUSET_SIMD(__vmaxu##count, Unsigned, x > y ? x : y)                                         \
  CUSET_SIMD(__vmins##count, Signed, x < y ? x : y)                                           \
  CUSET_SIMD(__vminu##count, Unsigned, x < y ? x : y)                                         \
  CUSET_SIMD_UNARY(__vabs##count, Signed, x < 0 ? -x : x)                                     \
  CUSET_SIMD_UNARY(__vabsss##count, Signed, cuset_emulator::clamp_to<Signed>(x < 0 ? -x : x)) \
  CUSET_SIMD_UNARY(__vneg##count, Signed, -x)                                                 \
  CUSET_SIMD_UNARY(__vnegss##count, Signed, cuset_emulator::clamp_to<Signed>(-x))             \
  CUSET_SIMD_COMPARISON(eq, count, Unsigned, ==)                                              \
  CUSET_SIMD_COMPARISON(ne, count, Unsigned, !=)                                              \
  CUSET_SIMD_COMPARISON(ges, count, Signed, >=)                                               \
  CUSET_SIMD_COMPARISON(geu, count, Unsigned, >=)                                             \
  CUSET_SIMD_COMPARISON(gts, count, Signed, >)                                                \
  CUSET_SIMD_COMPARISON(gtu, count, Unsigned, >)                                              \
  CUSET_SIMD_COMPARISON(les, count, Signed, <=)                                               \
  CUSET_SIMD_COMPARISON(leu, count, Unsigned, <=)                                             \
  CUSET_SIMD_COMPARISON(lts, count, Signed, <)                                                \
  CUSET_SIMD_COMPARISON(ltu, count, Unsigned, <)                                              \
  CUSET_BOTH_FUNCTION unsigned int __vsads##count(unsigned int a, unsigned int b) {           \
    return cuset_emulator::sum_of_differences<Signed>(a, b);                                  \
  }                                                                                           \
  CUSET_BOTH_FUNCTION unsigned int __vsadu##count(unsigned int a, unsigned int b) {           \
    return cuset_emulator::sum_of_differences<Unsigned>(a, b);                                \
  }

CUSET_SIMD_FAMILY(4, signed char, unsigned char)
CUSET_SIMD_FAMILY(2, short, unsigned short)

#undef CUSET_SIMD
#undef CUSET_SIMD_UNARY
#undef CUSET_SIMD_COMPARISON
#undef CUSET_SIMD_FAMILY
