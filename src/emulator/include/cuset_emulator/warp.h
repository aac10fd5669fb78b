// Operations of a warp: shuffles, votes, match and reductions. A shuffle's source lane is computed here as
// the PTX manual describes it for shfl.sync: `width` cuts the warp into segments; a source outside of its
// segment means the own value.
#pragma once

#include <stdint.h>

#include "cuset_emulator/abi.h"
#include "cuset_emulator/qualifiers.h"

namespace cuset_emulator {

// The last lane a source may be, and the first of the segment. `width` is a power of two up to 32.
struct LaneSegment {
  unsigned int first;
  unsigned int last;
};

CUSET_BOTH_FUNCTION LaneSegment segment_of_lane(unsigned int lane, int width) {
  const unsigned int inside = (static_cast<unsigned int>(width) - 1u) & 31u;
  return LaneSegment{lane & ~inside, lane | inside};
}

CUSET_BOTH_FUNCTION unsigned int source_by_index(unsigned int lane, int source, int width) {
  const LaneSegment segment = segment_of_lane(lane, width);
  return segment.first | (static_cast<unsigned int>(source) & (segment.last - segment.first));
}

CUSET_BOTH_FUNCTION unsigned int source_above(unsigned int lane, unsigned int delta, int width) {
  const unsigned int distance = delta & 31u;
  return lane < segment_of_lane(lane, width).first + distance ? lane : lane - distance;
}

CUSET_BOTH_FUNCTION unsigned int source_below(unsigned int lane, unsigned int delta, int width) {
  const unsigned int source = lane + (delta & 31u);
  return source > segment_of_lane(lane, width).last ? lane : source;
}

CUSET_BOTH_FUNCTION unsigned int source_by_xor(unsigned int lane, int bits, int width) {
  const unsigned int source = lane ^ (static_cast<unsigned int>(bits) & 31u);
  return source > segment_of_lane(lane, width).last ? lane : source;
}

}  // namespace cuset_emulator

#if defined(__CUDA__)

namespace cuset_emulator {

// Not found by the types of arguments: a program may have functions of these names for __half.
namespace lane_words {

template <class T>
CUSET_DEVICE_FUNCTION uint64_t bits_of(T value) {
  static_assert(sizeof(T) <= 8, "a lane hands over at most 8 bytes");
  uint64_t bits = 0;
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

template <class T>
CUSET_DEVICE_FUNCTION T value_of(uint64_t bits) {
  T value;
  __builtin_memcpy(static_cast<void*>(&value), &bits, sizeof(T));
  return value;
}

template <class T>
CUSET_DEVICE_FUNCTION T shuffle(unsigned int mask, T value, unsigned int source) {
  return value_of<T>(cuset_request(CUSET_SHUFFLE, mask, lane_words::bits_of(value), source));
}

}  // namespace lane_words
using namespace lane_words;

}  // namespace cuset_emulator

#define CUSET_SHUFFLES(type)                                                                            \
  CUSET_DEVICE_FUNCTION type __shfl_sync(unsigned int mask, type value, int source, int width = 32) {   \
    return cuset_emulator::shuffle(mask, value,                                                         \
                                   cuset_emulator::source_by_index(cuset_context.lane, source, width)); \
  }                                                                                                     \
  CUSET_DEVICE_FUNCTION type __shfl_up_sync(unsigned int mask, type value, unsigned int delta,          \
                                            int width = 32) {                                           \
    return cuset_emulator::shuffle(mask, value,                                                         \
                                   cuset_emulator::source_above(cuset_context.lane, delta, width));     \
  }                                                                                                     \
  CUSET_DEVICE_FUNCTION type __shfl_down_sync(unsigned int mask, type value, unsigned int delta,        \
                                              int width = 32) {                                         \
    return cuset_emulator::shuffle(mask, value,                                                         \
                                   cuset_emulator::source_below(cuset_context.lane, delta, width));     \
  }                                                                                                     \
  CUSET_DEVICE_FUNCTION type __shfl_xor_sync(unsigned int mask, type value, int bits, int width = 32) { \
    return cuset_emulator::shuffle(mask, value,                                                         \
                                   cuset_emulator::source_by_xor(cuset_context.lane, bits, width));     \
  }

CUSET_SHUFFLES(int)
CUSET_SHUFFLES(unsigned int)
CUSET_SHUFFLES(long)
CUSET_SHUFFLES(unsigned long)
CUSET_SHUFFLES(long long)
CUSET_SHUFFLES(unsigned long long)
CUSET_SHUFFLES(float)
CUSET_SHUFFLES(double)

CUSET_DEVICE_FUNCTION void __syncwarp(unsigned int mask = 0xffffffffu) {
  cuset_request(CUSET_WARP_SYNC, mask, 0, 0);
}

CUSET_DEVICE_FUNCTION unsigned int __activemask() {
  return static_cast<unsigned int>(cuset_request(CUSET_ACTIVE_MASK, 0, 0, 0));
}

CUSET_DEVICE_FUNCTION unsigned int __ballot_sync(unsigned int mask, int predicate) {
  return static_cast<unsigned int>(cuset_request(CUSET_BALLOT, mask, predicate != 0, 0));
}
CUSET_DEVICE_FUNCTION int __any_sync(unsigned int mask, int predicate) {
  return __ballot_sync(mask, predicate) != 0;
}
CUSET_DEVICE_FUNCTION int __all_sync(unsigned int mask, int predicate) {
  return __ballot_sync(mask, !predicate) == 0;
}

#define CUSET_MATCHES(type)                                                                                 \
  CUSET_DEVICE_FUNCTION unsigned int __match_any_sync(unsigned int mask, type value) {                      \
    return static_cast<unsigned int>(                                                                       \
        cuset_request(CUSET_MATCH_ANY, mask, cuset_emulator::bits_of(value), 0));                           \
  }                                                                                                         \
  CUSET_DEVICE_FUNCTION unsigned int __match_all_sync(unsigned int mask, type value, int* predicate) {      \
    const unsigned int equal =                                                                              \
        static_cast<unsigned int>(cuset_request(CUSET_MATCH_ALL, mask, cuset_emulator::bits_of(value), 0)); \
    *predicate = equal != 0;                                                                                \
    return equal;                                                                                           \
  }

CUSET_MATCHES(int)
CUSET_MATCHES(unsigned int)
CUSET_MATCHES(long)
CUSET_MATCHES(unsigned long)
CUSET_MATCHES(long long)
CUSET_MATCHES(unsigned long long)
CUSET_MATCHES(float)
CUSET_MATCHES(double)

#define CUSET_REDUCTION(name, type, operation)                                                     \
  CUSET_DEVICE_FUNCTION type name(unsigned int mask, type value) {                                 \
    return static_cast<type>(cuset_request(operation, mask, static_cast<unsigned int>(value), 0)); \
  }

CUSET_REDUCTION(__reduce_add_sync, unsigned int, CUSET_REDUCE_ADD)
CUSET_REDUCTION(__reduce_add_sync, int, CUSET_REDUCE_ADD)
CUSET_REDUCTION(__reduce_min_sync, unsigned int, CUSET_REDUCE_MIN)
CUSET_REDUCTION(__reduce_min_sync, int, CUSET_REDUCE_MIN_SIGNED)
CUSET_REDUCTION(__reduce_max_sync, unsigned int, CUSET_REDUCE_MAX)
CUSET_REDUCTION(__reduce_max_sync, int, CUSET_REDUCE_MAX_SIGNED)
CUSET_REDUCTION(__reduce_and_sync, unsigned int, CUSET_REDUCE_AND)
CUSET_REDUCTION(__reduce_or_sync, unsigned int, CUSET_REDUCE_OR)
CUSET_REDUCTION(__reduce_xor_sync, unsigned int, CUSET_REDUCE_XOR)

#undef CUSET_MATCHES
#undef CUSET_REDUCTION

#endif
