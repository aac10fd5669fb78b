// Whole operations on one float32 row each, fused into as few passes as they need: what the CPU does between
// the matrix products. The formulas are those of rms_norm.h, swiglu.h, rotary.h and linear_cross_entropy.h;
// loop_sets.h says which bits are promised.
#pragma once

#include <cstdint>

namespace cuset::ops {

// y = x * r * weight. Returns r.
float rms_norm_row(const float* x, const float* weight, int64_t width, float epsilon, float* y);

struct RmsNormGradientRow {
  const float* dy;
  const float* x;
  const float* weight;
  float r;
};

// Writes dx, and adds to dweight unless it is null.
void rms_norm_backward_row(const RmsNormGradientRow& row, int64_t width, float* dx, float* dweight);

// h = silu(gate) * up.
void swiglu_row(const float* gate, const float* up, int64_t width, float* h);

// Turns gate and up into their gradients.
void swiglu_backward_row(float* gate, float* up, const float* dh, int64_t width);

// Turns the columns of `heads` neighboring heads of width 2 * half by the angles, or back by them.
struct RotaryRow {
  const float* cosine;  // [half]
  const float* sine;    // [half]
  float direction;      // 1, or -1: back
};
void rotary_row(const RotaryRow& angles, int64_t heads, int64_t half, const float* x, float* y);

struct SoftmaxRow {
  float log_probability;       // of the target
  float best_log_probability;  // of the likeliest column
  bool is_likeliest;           // the target is the likeliest column, the first of them if there are several
};

// Where `gradient`, turns the logits z into softmax(z) - onehot(target).
SoftmaxRow softmax_row(float* z, int64_t width, int64_t target, bool gradient);

// y = exp((z - largest z) * scale) for a scale >= 0. Returns their sum, which is not a number where z holds
// one that is none, or an infinite one. y may be z.
float exponentials_row(const float* z, int64_t width, float scale, float* y);

}  // namespace cuset::ops
