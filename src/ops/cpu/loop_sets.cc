// The loops that every machine runs, and the choice between the sets.
#define CUSET_LOOP_LANES 4
#define CUSET_LOOP_SUMS 12
#include "ops/cpu/loop_sets.h"

#include "ops/cpu/loop_set_body.h"

namespace cuset::ops {
namespace {

constinit const LoopSet kPlain = loop_set("plain");

const LoopSet& widest() {
  static const LoopSet& set = *all_loop_sets().sets[0];
  return set;
}

}  // namespace

LoopSetList all_loop_sets() {
  LoopSetList list{};
#if CUSET_HAS_WIDE_LOOPS
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq"))
    list.sets[list.count++] = &kLoopSetAvx512;
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    list.sets[list.count++] = &kLoopSetAvx2;
#endif
  list.sets[list.count++] = &kPlain;
  return list;
}

const PanelLoops& panel_loops() { return widest().panel; }

const TileLoops& tile_loops() { return widest().tile; }

float rms_norm_row(const float* x, const float* weight, int64_t width, float epsilon, float* y) {
  return widest().rms_norm_row(x, weight, width, epsilon, y);
}

void rms_norm_backward_row(const RmsNormGradientRow& row, int64_t width, float* dx, float* dweight) {
  widest().rms_norm_backward_row(row, width, dx, dweight);
}

void swiglu_row(const float* gate, const float* up, int64_t width, float* h) {
  widest().swiglu_row(gate, up, width, h);
}

void swiglu_backward_row(float* gate, float* up, const float* dh, int64_t width) {
  widest().swiglu_backward_row(gate, up, dh, width);
}

void rotary_row(const RotaryRow& angles, int64_t heads, int64_t half, const float* x, float* y) {
  widest().rotary_row(angles, heads, half, x, y);
}

SoftmaxRow softmax_row(float* z, int64_t width, int64_t target, bool gradient) {
  return widest().softmax_row(z, width, target, gradient);
}

float exponentials_row(const float* z, int64_t width, float scale, float* y) {
  return widest().exponentials_row(z, width, scale, y);
}

void add_product(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b, float* c,
                 int64_t c_row) {
  widest().add_product(size, a, b, c, c_row);
}

void dot_products(const ProductSize& size, const SmallMatrix& a, const SmallMatrix& b, float scale,
                  float* c) {
  widest().dot_products(size, a, b, scale, c);
}

void multiply(const float* x, const float* factors, int64_t width, float* y) {
  widest().multiply(x, factors, width, y);
}

void add_multiplied(const float* x, const float* factors, int64_t width, float* y) {
  widest().add_multiplied(x, factors, width, y);
}

}  // namespace cuset::ops
