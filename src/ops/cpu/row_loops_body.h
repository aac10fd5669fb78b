// The loops of row_loops.h; see loop_set_body.h.
#pragma once

#include <cstdint>

#include "ops/cpu/loop_arithmetic.h"
#include "ops/cpu/row_loops.h"

namespace cuset::ops {
namespace {

CUSET_ALWAYS_INLINE Vector sigmoid(const Vector& x) {
  // -|x|
  const Vector e = exp_of_negative(reinterpret_cast<Vector>(reinterpret_cast<Words>(x) | 0x80000000u));
  const Vector above = 1.0f / (1.0f + e);
  return x < Vector{} ? e * above : above;
}

float rms_norm_loop(const float* x, const float* weight, int64_t width, float epsilon, float* y) {
  const float r = 1.0f / __builtin_sqrtf(sum_of_squares(x, width) / static_cast<float>(width) + epsilon);
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) y[i] = x[i] * r * weight[i];
  return r;
}

void rms_norm_backward_loop(const RmsNormGradientRow& row, int64_t width, float* dx, float* dweight) {
  const float *dy = row.dy, *x = row.x, *weight = row.weight;
  const float r = row.r;
  SumLanes sums(0);
  sums.take(width, [&](int64_t i, auto vector, const Vector& lanes) __attribute__((always_inline)) {
    return multiply_add(vector.read(dy + i) * vector.read(weight + i), vector.read(x + i) * r, lanes);
  });
  const float mean = sums.total() / static_cast<float>(width);
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) dx[i] = r * multiply_add(dy[i], weight[i], -(x[i] * r * mean));
  if (dweight == nullptr) return;
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) dweight[i] = multiply_add(dy[i], x[i] * r, dweight[i]);
}

void swiglu_loop(const float* gate, const float* up, int64_t width, float* h) {
  for_vectors(width, [&](int64_t i, auto vector) __attribute__((always_inline)) {
    const Vector g = vector.read(gate + i);
    vector.write(h + i, g * sigmoid(g) * vector.read(up + i));
  });
}

void swiglu_backward_loop(float* gate, float* up, const float* dh, int64_t width) {
  for_vectors(width, [&](int64_t i, auto vector) __attribute__((always_inline)) {
    const Vector g = vector.read(gate + i), upstream = vector.read(dh + i);
    const Vector s = sigmoid(g);
    vector.write(gate + i, upstream * vector.read(up + i) * s * multiply_add(g, 1.0f - s, 1.0f));
    vector.write(up + i, upstream * g * s);
  });
}

void rotary_loop(const RotaryRow& angles, int64_t heads, int64_t half, const float* x, float* y) {
  const float *cosine = angles.cosine, *sine = angles.sine;
  const float direction = angles.direction;
  for (int64_t head = 0; head < heads; ++head) {
    const float *low = x + head * 2 * half, *high = low + half;
    float *y_low = y + head * 2 * half, *y_high = y_low + half;
#pragma omp simd
    for (int64_t i = 0; i < half; ++i) {
      const float s = direction * sine[i];
      y_low[i] = multiply_add(low[i], cosine[i], -(high[i] * s));
      y_high[i] = multiply_add(high[i], cosine[i], low[i] * s);
    }
  }
}

// Only where the target is the likeliest column at all are the columns before it read.
bool is_first_largest(const float* z, int64_t target, float largest) {
  if (!(z[target] >= largest)) return false;
  int64_t before = 0;
#pragma omp simd reduction(+ : before)
  for (int64_t i = 0; i < target; ++i) before += z[i] == largest ? 1 : 0;
  return before == 0;
}

SoftmaxRow softmax_loop(float* z, int64_t width, int64_t target, bool gradient) {
  const float largest = largest_of(z, width);
  const float of_target = z[target];
  const bool is_likeliest = is_first_largest(z, target, largest);
  SumLanes sums(0);
  if (!gradient) {
    sums.take(width, [&](int64_t i, auto vector, const Vector& lanes) __attribute__((always_inline)) {
      return lanes + exp_of_negative(vector.read(z + i) - largest);
    });
  } else {
    sums.take(width, [&](int64_t i, auto vector, const Vector& lanes) __attribute__((always_inline)) {
      const Vector e = exp_of_negative(vector.read(z + i) - largest);
      vector.write(z + i, e);
      return lanes + e;
    });
  }
  const float sum = sums.total();
  if (gradient) {
    const float factor = 1.0f / sum;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) z[i] *= factor;
    z[target] -= 1.0f;
  }
  const float log_sum = __builtin_logf(sum);
  return {of_target - largest - log_sum, -log_sum, is_likeliest};
}

float exponentials_row_loop(const float* z, int64_t width, float scale, float* y) {
  const float largest = largest_of(z, width);
  SumLanes sums(0);
  sums.take(width, [&](int64_t i, auto vector, const Vector& lanes) __attribute__((always_inline)) {
    const Vector e = exp_of_negative((vector.read(z + i) - largest) * scale);
    vector.write(y + i, e);
    return lanes + e;
  });
  return sums.total();
}

}  // namespace
}  // namespace cuset::ops
