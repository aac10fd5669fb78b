// Arithmetic of the loops of one set of vector instructions (loop_set_body.h), written so that the bits do
// not rest on the optimizer: a * b + c is fused where multiply_add says so and nowhere else
// (-ffp-contract=off), and sums over a row go through 16 lanes, whatever the width of a register.
#pragma once

#include <cstdint>

#include "ops/cpu/vector_clones.h"

#if defined(__x86_64__) && defined(__FMA__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace cuset::ops {
namespace {

constexpr int kLanes = CUSET_LOOP_LANES;

typedef float Vector __attribute__((vector_size(4 * kLanes)));
typedef float UnalignedVector __attribute__((vector_size(4 * kLanes), aligned(4)));
typedef uint32_t Words __attribute__((vector_size(4 * kLanes)));
typedef int32_t Integers __attribute__((vector_size(4 * kLanes)));
typedef uint16_t Halves __attribute__((vector_size(2 * kLanes), aligned(2)));

CUSET_ALWAYS_INLINE void load(const float* from, Vector& to) {
  to = *reinterpret_cast<const UnalignedVector*>(from);
}

// bfloat16 is the upper half of a float32.
CUSET_ALWAYS_INLINE void load(const uint16_t* from, Vector& to) {
  const Words wide = __builtin_convertvector(*reinterpret_cast<const Halves*>(from), Words) << 16;
  to = reinterpret_cast<Vector>(wide);
}

CUSET_ALWAYS_INLINE void store(float* to, const Vector& value) {
  *reinterpret_cast<UnalignedVector*>(to) = value;
}

CUSET_ALWAYS_INLINE Vector in_every_lane(float value) { return value - Vector{}; }  // -0 - 0 is -0

// a * b + c, rounded once; rounded twice where the set's machines cannot fuse.
CUSET_ALWAYS_INLINE float multiply_add(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__)
  return __builtin_fmaf(a, b, c);
#else
  return a * b + c;
#endif
}

CUSET_ALWAYS_INLINE Vector multiply_add(const Vector& a, const Vector& b, const Vector& c) {
#if defined(__aarch64__)
  static_assert(kLanes == 4);
  return vfmaq_f32(c, a, b);
#elif !defined(__FMA__)
  return a * b + c;
#elif CUSET_LOOP_LANES == 16
  return _mm512_fmadd_ps(a, b, c);
#elif CUSET_LOOP_LANES == 8
  return _mm256_fmadd_ps(a, b, c);
#else
  return _mm_fmadd_ps(a, b, c);
#endif
}

CUSET_ALWAYS_INLINE Vector multiply_add(const Vector& a, float b, const Vector& c) {
  return multiply_add(a, in_every_lane(b), c);
}

CUSET_ALWAYS_INLINE Vector multiply_add(const Vector& a, const Vector& b, float c) {
  return multiply_add(a, b, in_every_lane(c));
}

// A vector of a row: all of its lanes, or the first few of them where the row ends.
struct WholeVector {
  CUSET_ALWAYS_INLINE Vector read(const float* from) const {
    Vector value;
    load(from, value);
    return value;
  }
  CUSET_ALWAYS_INLINE void write(float* to, const Vector& value) const { store(to, value); }
  CUSET_ALWAYS_INLINE Vector choose(const Vector& inside, const Vector&) const { return inside; }
};

struct PartOfVector {
  int64_t count;

  CUSET_ALWAYS_INLINE Vector read(const float* from) const {  // zeros behind the end
    float lanes[kLanes] = {};
    for (int64_t i = 0; i < count; ++i) lanes[i] = from[i];
    return WholeVector().read(lanes);
  }
  CUSET_ALWAYS_INLINE void write(float* to, const Vector& value) const {
    float lanes[kLanes];
    store(lanes, value);
    for (int64_t i = 0; i < count; ++i) to[i] = lanes[i];
  }
  CUSET_ALWAYS_INLINE Vector choose(const Vector& inside, const Vector& behind) const {
    Vector value = behind;
    for (int i = 0; i < kLanes; ++i) value[i] = i < count ? inside[i] : behind[i];
    return value;
  }
};

// work(i, vector) for the vectors of a row, which begin at i.
template <typename Work>
CUSET_ALWAYS_INLINE void for_vectors(int64_t width, const Work& work) {
  int64_t i = 0;
  for (; i + kLanes <= width; i += kLanes) work(i, WholeVector{});
  if (i < width) work(i, PartOfVector{width - i});
}

// Eight lanes into one, in one order.
CUSET_ALWAYS_INLINE float total(const float (&lanes)[8]) {
  float four[4];
  for (int i = 0; i < 4; ++i) four[i] = lanes[i] + lanes[i + 4];
  return (four[0] + four[2]) + (four[1] + four[3]);
}

// What a row is summed up in: lane i % 16 takes the values i in their order, whatever the width of a
// register.
constexpr int kSumLanes = 16;
constexpr int kSumVectors = kSumLanes / kLanes;

struct SumLanes {
  Vector value[kSumVectors];

  CUSET_ALWAYS_INLINE explicit SumLanes(float start) {
    for (Vector& lanes : value) lanes = in_every_lane(start);
  }

  // lanes = step(i, vector, lanes) for the vectors of a row, which begin at i.
  template <typename Step>
  CUSET_ALWAYS_INLINE void take(int64_t width, const Step& step) {
    int64_t i = 0;
    for (; i + kSumLanes <= width; i += kSumLanes) {
      for (int v = 0; v < kSumVectors; ++v) value[v] = step(i + v * kLanes, WholeVector{}, value[v]);
    }
    for (int v = 0; v < kSumVectors; ++v, i += kLanes) {
      if (i + kLanes <= width) {
        value[v] = step(i, WholeVector{}, value[v]);
      } else if (i < width) {
        const PartOfVector part{width - i};
        value[v] = part.choose(step(i, part, value[v]), value[v]);
      }
    }
  }

  // Sixteen lanes into one, in one order.
  CUSET_ALWAYS_INLINE float total() const {
    float lanes[kSumLanes], eight[8];
    for (int v = 0; v < kSumVectors; ++v) store(lanes + v * kLanes, value[v]);
    for (int i = 0; i < 8; ++i) eight[i] = lanes[i] + lanes[i + 8];
    return ops::total(eight);
  }
};

CUSET_ALWAYS_INLINE float sum_of_squares(const float* x, int64_t width) {
  SumLanes squares(0);
  squares.take(width, [&](int64_t i, auto vector, const Vector& lanes) __attribute__((always_inline)) {
    const Vector value = vector.read(x + i);
    return multiply_add(value, value, lanes);
  });
  return squares.total();
}

// The largest of a row; values that are not a number are passed over.
CUSET_ALWAYS_INLINE float largest_of(const float* x, int64_t width) {
  SumLanes largest(-__builtin_inff());
  largest.take(width, [&](int64_t i, auto vector, const Vector& lanes) __attribute__((always_inline)) {
    const Vector value = vector.read(x + i);
    return lanes < value ? value : lanes;
  });
  float most = -__builtin_inff();
  for (const Vector& lanes : largest.value) {
    for (int i = 0; i < kLanes; ++i) most = most < lanes[i] ? lanes[i] : most;
  }
  return most;
}

// exp(x) for x <= 0, to about one unit in the last place; 0 below the smallest normal float32; not-a-number
// stays what it is. x = n ln 2 + r with |r| <= ln 2 / 2, exp(r) by its Taylor polynomial.
CUSET_ALWAYS_INLINE Vector exp_of_negative(const Vector& x) {
  constexpr float ln2_high = 0.693359375f;  // few bits: n * ln2_high is exact
  constexpr float ln2_low = -2.12194440e-4f;
  const Vector lowest = in_every_lane(-87.3f);
  const Vector inside = x > lowest ? x : lowest;  // also where x is not a number: n must be one
  const Integers n = __builtin_convertvector(
      multiply_add(inside, in_every_lane(1.44269504f), in_every_lane(-0.5f)), Integers);
  const Vector whole = __builtin_convertvector(n, Vector);
  const Vector r = multiply_add(whole, -ln2_low, multiply_add(whole, -ln2_high, x < lowest ? lowest : x));
  Vector p = in_every_lane(1.0f / 5040);
  p = multiply_add(p, r, 1.0f / 720);
  p = multiply_add(p, r, 1.0f / 120);
  p = multiply_add(p, r, 1.0f / 24);
  p = multiply_add(p, r, 1.0f / 6);
  p = multiply_add(p, r, 0.5f);
  p = multiply_add(p, r, 1.0f);
  p = multiply_add(p, r, 1.0f);
  const Integers power = x < lowest ? Integers{} : (n + 127) << 23;
  return p * reinterpret_cast<Vector>(power);
}

}  // namespace
}  // namespace cuset::ops
