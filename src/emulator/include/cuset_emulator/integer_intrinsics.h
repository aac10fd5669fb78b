// Integer intrinsics: bits, bytes, high halves of products, funnel shifts, sums of absolute differences, dot
// products.
#pragma once

#include "cuset_emulator/c_library.h"
#include "cuset_emulator/vector_types.h"

CUSET_BOTH_FUNCTION int __popc(unsigned int x) { return __builtin_popcount(x); }
CUSET_BOTH_FUNCTION int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
CUSET_BOTH_FUNCTION int __clz(int x) { return x == 0 ? 32 : __builtin_clz(static_cast<unsigned int>(x)); }
CUSET_BOTH_FUNCTION int __clzll(long long x) {
  return x == 0 ? 64 : __builtin_clzll(static_cast<unsigned long long>(x));
}
CUSET_BOTH_FUNCTION int __ffs(int x) { return __builtin_ffs(x); }
CUSET_BOTH_FUNCTION int __ffsll(long long x) { return __builtin_ffsll(x); }

CUSET_BOTH_FUNCTION unsigned int __brev(unsigned int x) {
  x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
  x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
  x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
  return __builtin_bswap32(x);
}
CUSET_BOTH_FUNCTION unsigned long long __brevll(unsigned long long x) {
  const unsigned long long low = __brev(static_cast<unsigned int>(x));
  return low << 32 | __brev(static_cast<unsigned int>(x >> 32));
}

// The position of the offset-th set bit of `mask` from bit `base` upwards (or downwards for negative
// offsets).
CUSET_BOTH_FUNCTION unsigned int __fns(unsigned int mask, unsigned int base, int offset) {
  if (offset == 0) return base < 32 && (mask >> base & 1u) ? base : 0xffffffffu;
  const int step = offset > 0 ? 1 : -1;
  int left = offset > 0 ? offset : -offset;
  for (int bit = static_cast<int>(base); bit >= 0 && bit < 32; bit += step) {
    if ((mask >> bit & 1u) && --left == 0) return static_cast<unsigned int>(bit);
  }
  return 0xffffffffu;
}

// Each nibble of `selector` picks a byte of y:x; its high bit means: eight copies of that byte's sign.
CUSET_BOTH_FUNCTION unsigned int __byte_perm(unsigned int x, unsigned int y, unsigned int selector) {
  const unsigned long long bytes = static_cast<unsigned long long>(y) << 32 | x;
  unsigned int result = 0;
  for (int i = 0; i < 4; ++i) {
    const unsigned int byte = static_cast<unsigned int>(bytes >> (selector >> 4 * i & 7u) * 8) & 0xffu;
    result |= byte << 8 * i;
  }
  return result;
}

// The funnel hi:lo, shifted by the low five bits, or by at most 32.
CUSET_BOTH_FUNCTION unsigned int __funnelshift_l(unsigned int lo, unsigned int hi, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(hi) << 32 | lo) << (shift & 31u) >> 32);
}
CUSET_BOTH_FUNCTION unsigned int __funnelshift_r(unsigned int lo, unsigned int hi, unsigned int shift) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(hi) << 32 | lo) >> (shift & 31u));
}
CUSET_BOTH_FUNCTION unsigned int __funnelshift_lc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? lo : __funnelshift_l(lo, hi, shift);
}
CUSET_BOTH_FUNCTION unsigned int __funnelshift_rc(unsigned int lo, unsigned int hi, unsigned int shift) {
  return shift >= 32 ? hi : __funnelshift_r(lo, hi, shift);
}

CUSET_BOTH_FUNCTION int __mulhi(int a, int b) {
  return static_cast<int>(static_cast<long long>(a) * b >> 32);
}
CUSET_BOTH_FUNCTION unsigned int __umulhi(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>(static_cast<unsigned long long>(a) * b >> 32);
}
CUSET_BOTH_FUNCTION long long __mul64hi(long long a, long long b) {
  __extension__ typedef __int128 Wide;
  return static_cast<long long>(static_cast<Wide>(a) * b >> 64);
}
CUSET_BOTH_FUNCTION unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  __extension__ typedef unsigned __int128 Wide;
  return static_cast<unsigned long long>(static_cast<Wide>(a) * b >> 64);
}
CUSET_BOTH_FUNCTION unsigned int __umul24(unsigned int a, unsigned int b) {
  return (a & 0xffffffu) * (b & 0xffffffu);
}
CUSET_BOTH_FUNCTION int __mul24(int a, int b) {
  const int low_a = static_cast<int>(static_cast<unsigned int>(a) << 8) >> 8;
  const int low_b = static_cast<int>(static_cast<unsigned int>(b) << 8) >> 8;
  return static_cast<int>(static_cast<unsigned int>(low_a) * static_cast<unsigned int>(low_b));
}

// Averages, rounded down or up, without overflow.
CUSET_BOTH_FUNCTION int __hadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b) >> 1);
}
CUSET_BOTH_FUNCTION int __rhadd(int a, int b) {
  return static_cast<int>((static_cast<long long>(a) + b + 1) >> 1);
}
CUSET_BOTH_FUNCTION unsigned int __uhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b) >> 1);
}
CUSET_BOTH_FUNCTION unsigned int __urhadd(unsigned int a, unsigned int b) {
  return static_cast<unsigned int>((static_cast<unsigned long long>(a) + b + 1) >> 1);
}

// |a - b| + sum.
CUSET_BOTH_FUNCTION unsigned int __usad(unsigned int a, unsigned int b, unsigned int sum) {
  return (a > b ? a - b : b - a) + sum;
}
CUSET_BOTH_FUNCTION unsigned int __sad(int a, int b, unsigned int sum) {
  return (a > b ? static_cast<unsigned int>(a) - static_cast<unsigned int>(b)
                : static_cast<unsigned int>(b) - static_cast<unsigned int>(a)) +
         sum;
}

namespace cuset_emulator {

// Elements of a packed word; `Element` says their width and sign.
template <class Element>
CUSET_BOTH_FUNCTION int packed_element(unsigned int word, int index) {
  return static_cast<int>(static_cast<Element>(word >> index * 8 * static_cast<int>(sizeof(Element))));
}

template <class A, class B>
CUSET_BOTH_FUNCTION unsigned int dot_of_4(unsigned int a, unsigned int b, unsigned int sum) {
  for (int i = 0; i < 4; ++i)
    sum += static_cast<unsigned int>(packed_element<A>(a, i) * packed_element<B>(b, i));
  return sum;
}

// Two 16-bit elements of `a` times the bytes `first` and `first + 1` of `b`.
template <class A, class B>
CUSET_BOTH_FUNCTION unsigned int dot_of_2(unsigned int a, unsigned int b, unsigned int sum, int first) {
  for (int i = 0; i < 2; ++i) {
    sum += static_cast<unsigned int>(packed_element<A>(a, i) * packed_element<B>(b, first + i));
  }
  return sum;
}

template <class To, class From>
CUSET_BOTH_FUNCTION To same_bits(const From& from) {
  static_assert(sizeof(To) == sizeof(From), "reinterpreted values have one size");
  To to;
  __builtin_memcpy(static_cast<void*>(&to), &from, sizeof(To));
  return to;
}

}  // namespace cuset_emulator

CUSET_BOTH_FUNCTION int __dp4a(int a, int b, int sum) {
  return static_cast<int>(cuset_emulator::dot_of_4<signed char, signed char>(
      static_cast<unsigned int>(a), static_cast<unsigned int>(b), static_cast<unsigned int>(sum)));
}
CUSET_BOTH_FUNCTION unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int sum) {
  return cuset_emulator::dot_of_4<unsigned char, unsigned char>(a, b, sum);
}
CUSET_BOTH_FUNCTION int __dp4a(char4 a, char4 b, int sum) {
  return __dp4a(cuset_emulator::same_bits<int>(a), cuset_emulator::same_bits<int>(b), sum);
}
CUSET_BOTH_FUNCTION unsigned int __dp4a(uchar4 a, uchar4 b, unsigned int sum) {
  return __dp4a(cuset_emulator::same_bits<unsigned int>(a), cuset_emulator::same_bits<unsigned int>(b), sum);
}

#define CUSET_DOT_OF_2(name, first)                                                                          \
  CUSET_BOTH_FUNCTION int name(int a, int b, int sum) {                                                      \
    return static_cast<int>(cuset_emulator::dot_of_2<short, signed char>(                                    \
        static_cast<unsigned int>(a), static_cast<unsigned int>(b), static_cast<unsigned int>(sum), first)); \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION unsigned int name(unsigned int a, unsigned int b, unsigned int sum) {                  \
    return cuset_emulator::dot_of_2<unsigned short, unsigned char>(a, b, sum, first);                        \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION int name(short2 a, char4 b, int sum) {                                                 \
    return name(cuset_emulator::same_bits<int>(a), cuset_emulator::same_bits<int>(b), sum);                  \
  }                                                                                                          \
  CUSET_BOTH_FUNCTION unsigned int name(ushort2 a, uchar4 b, unsigned int sum) {                             \
    return name(cuset_emulator::same_bits<unsigned int>(a), cuset_emulator::same_bits<unsigned int>(b),      \
                sum);                                                                                        \
  }

CUSET_DOT_OF_2(__dp2a_lo, 0)
CUSET_DOT_OF_2(__dp2a_hi, 2)

#undef CUSET_DOT_OF_2
