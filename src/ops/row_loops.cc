// See vector_loops.cc for how these are compiled.
#include "ops/row_loops.h"

#include <cmath>
#include <limits>

#include "ops/vector_clones.h"
#include "ops/vector_exp.h"

namespace cuset {
namespace {

CUSET_ALWAYS_INLINE float sigmoid(float x) {
  const float e = exp_of_negative(-std::abs(x));
  const float above = 1.0f / (1.0f + e);
  return x < 0 ? e * above : above;
}

}  // namespace

CUSET_VECTOR_CLONES float rms_norm_row(const float* x, const float* weight, int64_t width, float epsilon,
                                       float* y) {
  float squares = 0;
#pragma omp simd reduction(+ : squares)
  for (int64_t i = 0; i < width; ++i) squares += x[i] * x[i];
  const float r = 1.0f / std::sqrt(squares / static_cast<float>(width) + epsilon);
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) y[i] = x[i] * r * weight[i];
  return r;
}

CUSET_VECTOR_CLONES void rms_norm_backward_row(const RmsNormGradientRow& row, int64_t width, float* dx,
                                               float* dweight) {
  const float *dy = row.dy, *x = row.x, *weight = row.weight;
  const float r = row.r;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < width; ++i) sum += dy[i] * weight[i] * (x[i] * r);
  const float mean = sum / static_cast<float>(width);
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) dx[i] = r * (dy[i] * weight[i] - x[i] * r * mean);
  if (dweight == nullptr) return;
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) dweight[i] += dy[i] * (x[i] * r);
}

CUSET_VECTOR_CLONES void swiglu_row(const float* gate, const float* up, int64_t width, float* h) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) h[i] = gate[i] * sigmoid(gate[i]) * up[i];
}

CUSET_VECTOR_CLONES void swiglu_backward_row(float* gate, float* up, const float* dh, int64_t width) {
#pragma omp simd
  for (int64_t i = 0; i < width; ++i) {
    const float g = gate[i];
    const float s = sigmoid(g);
    gate[i] = dh[i] * up[i] * s * (1.0f + g * (1.0f - s));
    up[i] = dh[i] * g * s;
  }
}

CUSET_VECTOR_CLONES void rotary_row(const RotaryRow& angles, int64_t heads, int64_t half, const float* x,
                                    float* y) {
  const float *cosine = angles.cosine, *sine = angles.sine;
  const float direction = angles.direction;
  for (int64_t head = 0; head < heads; ++head) {
    const float *low = x + head * 2 * half, *high = low + half;
    float *y_low = y + head * 2 * half, *y_high = y_low + half;
#pragma omp simd
    for (int64_t i = 0; i < half; ++i) {
      const float s = direction * sine[i];
      y_low[i] = low[i] * cosine[i] - high[i] * s;
      y_high[i] = high[i] * cosine[i] + low[i] * s;
    }
  }
}

CUSET_VECTOR_CLONES SoftmaxRow softmax_row(float* z, int64_t width, int64_t target, bool gradient) {
  float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
  for (int64_t i = 0; i < width; ++i) largest = largest < z[i] ? z[i] : largest;
  const float of_target = z[target];
  float sum = 0;
  if (!gradient) {
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < width; ++i) sum += exp_of_negative(z[i] - largest);
  } else {
#pragma omp simd reduction(+ : sum)
    for (int64_t i = 0; i < width; ++i) {
      z[i] = exp_of_negative(z[i] - largest);
      sum += z[i];
    }
    const float factor = 1.0f / sum;
#pragma omp simd
    for (int64_t i = 0; i < width; ++i) z[i] *= factor;
    z[target] -= 1.0f;
  }
  return {of_target - largest - std::log(sum), of_target >= largest};
}

CUSET_VECTOR_CLONES float exponentials_row(const float* z, int64_t width, float scale, float* y) {
  float largest = -std::numeric_limits<float>::infinity();
#pragma omp simd reduction(max : largest)
  for (int64_t i = 0; i < width; ++i) largest = largest < z[i] ? z[i] : largest;
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = 0; i < width; ++i) {
    y[i] = exp_of_negative((z[i] - largest) * scale);
    sum += y[i];
  }
  return sum;
}

}  // namespace cuset
