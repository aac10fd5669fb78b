#include "ops/cpu/panel_loops.h"

#include "ops/attention.h"
#include "ops/cpu/loop_sets.h"
#include "ops/cpu/panel_attention.h"
#include "ops/cpu/panel_matrix.h"
#include "support/test_tensors.h"

namespace cuset::ops {
namespace {

std::vector<const LoopSet*> every_set() {
  const LoopSetList list = all_loop_sets();
  return {list.sets, list.sets + list.count};
}

torch::Tensor in_panels(const torch::Tensor& matrix) {  // [out, in], out of whole panels
  return matrix.view({-1, kPanel, matrix.size(1)}).transpose(1, 2).contiguous();
}

// x [rows, in] with panels [panels, in, 16]: [rows, 16 panels].
torch::Tensor multiplied(void (*loop)(const PanelProduct&), const torch::Tensor& x,
                         const torch::Tensor& panels, const torch::Tensor& bias = {}) {
  auto y = torch::empty({x.size(0), panels.size(0) * kPanel});
  loop({.panels = panels.const_data_ptr(),
        .is_bfloat16 = panels.scalar_type() == torch::kBFloat16,
        .inner = x.size(1),
        .panel_stride = panels.stride(0),
        .count = panels.size(0),
        .x = x.const_data_ptr<float>(),
        .x_row = x.stride(0),
        .rows = x.size(0),
        .y = y.data_ptr<float>(),
        .y_row = y.stride(0),
        .bias = bias.defined() ? bias.const_data_ptr<float>() : nullptr,
        .add = false});
  return y;
}

TEST(PanelLoops, ProductsEqualTheReference) {
  torch::manual_seed(1);
  for (const LoopSet* set : every_set()) {
    for (const int64_t rows : {1, 2, 3, 7, 16, 29}) {
      const auto x = torch::randn({rows, 37}), w = torch::randn({11 * kPanel, 37}).to(torch::kBFloat16);
      const auto bias = torch::randn({11 * kPanel});
      const auto wanted =
          torch::addmm(bias.to(torch::kFloat64), x.to(torch::kFloat64), w.to(torch::kFloat64).t());
      const auto wide = multiplied(set->panel.product, x, in_panels(w.to(torch::kFloat32)), bias);
      EXPECT_LT(support::relative_error(wide, wanted), 1e-6) << set->name << rows;
      EXPECT_TRUE(torch::equal(multiplied(set->panel.product, x, in_panels(w), bias), wide))
          << set->name << rows;
      const auto sums = multiplied(set->panel.weighted_sums, x, in_panels(w));
      EXPECT_LT(support::relative_error(sums, wanted - bias), 1e-6) << set->name << rows;
    }
  }
}

TEST(PanelLoops, BitsOfARowDoNotDependOnItsNeighbors) {
  torch::manual_seed(2);
  for (const LoopSet* set : every_set()) {
    for (const auto loop : {set->panel.product, set->panel.weighted_sums}) {
      const auto x = torch::randn({31, 67}), panels = in_panels(torch::randn({13 * kPanel, 67}));
      const auto together = multiplied(loop, x, panels);
      for (int64_t count = 1; count < 31; ++count) {
        const auto some = multiplied(loop, x.narrow(0, 31 - count, count), panels);
        EXPECT_TRUE(torch::equal(some, together.narrow(0, 31 - count, count))) << set->name << count;
      }
    }
  }
}

TEST(PanelLoops, ExponentialsAndNormsEqualTheReference) {
  torch::manual_seed(4);
  for (const LoopSet* set : every_set()) {
    for (const int64_t count : {1, 15, 16, 17, 250}) {
      auto scores = torch::zeros({panel_padded(count)});
      scores.narrow(0, 0, count).copy_(torch::randn({count}) * 9);
      const auto wanted = (scores.narrow(0, 0, count).to(torch::kFloat64) * 0.3).softmax(0);
      const float factor = set->panel.exponentials(scores.data_ptr<float>(), count, 0.3f);
      EXPECT_LT(support::relative_error(scores.narrow(0, 0, count) * factor, wanted), 1e-6)
          << set->name << count;
      EXPECT_EQ(scores.narrow(0, count, scores.numel() - count).abs().sum().item<float>(), 0);

      auto x = torch::zeros({panel_padded(count)}), weight = torch::zeros({panel_padded(count)});
      x.narrow(0, 0, count).normal_();
      weight.narrow(0, 0, count).normal_();
      auto y = torch::empty_like(x);
      const auto wide = x.to(torch::kFloat64);
      const auto r = (wide.square().sum() / static_cast<double>(count) + 1e-5).rsqrt();
      set->panel.norm(x.const_data_ptr<float>(), weight.const_data_ptr<float>(), count, 1e-5f,
                      y.data_ptr<float>());
      EXPECT_LT(support::relative_error(y, wide * r * weight), 1e-6) << set->name << count;
    }
  }
}

TEST(PanelMatrix, RowsAndProductsEqualTheMatrix) {
  torch::manual_seed(5);
  for (const bool exact : {true, false}) {  // as bfloat16, which halves what is kept
    auto matrix = torch::randn({53, 20});
    if (exact) matrix = matrix.to(torch::kBFloat16).to(torch::kFloat32);
    const PanelMatrix panels(matrix);
    const auto x = torch::randn({9, 20});
    auto y = torch::ones({9, panel_padded(53)});
    panels.multiply({x.const_data_ptr<float>(), 20, 9}, {y.data_ptr<float>(), y.stride(0), nullptr, true});
    const auto wanted = x.to(torch::kFloat64).mm(matrix.to(torch::kFloat64).t()) + 1;
    EXPECT_LT(support::relative_error(y.narrow(1, 0, 53), wanted), 1e-6);
    auto row = torch::empty({20});
    panels.copy_row(37, row.data_ptr<float>());
    EXPECT_TRUE(torch::equal(row, matrix[37]));
  }
}

void compare_cached_attention(int64_t dim, int64_t window) {
  torch::manual_seed(6);
  const int64_t tokens = 75, kv_heads = 2, group = 3, width = kv_heads * group * dim;
  const auto q = torch::randn({tokens, kv_heads * group, dim});
  const auto k = torch::randn({tokens, kv_heads, dim}), v = torch::randn({tokens, kv_heads, dim});
  PanelCache cache({.slots = 3, .kv_heads = kv_heads, .positions = tokens, .dim = dim}, torch::kFloat32);
  for (int64_t t = 0; t < tokens; ++t)
    cache.store(1, t, k[t].const_data_ptr<float>(), v[t].const_data_ptr<float>());
  auto y = torch::empty({tokens, width});
  for (int64_t head = 0; head < kv_heads; ++head) {
    cache.attend({.slot = 1,
                  .position = 0,
                  .tokens = tokens,
                  .group = group,
                  .window = window,
                  .q = q.const_data_ptr<float>(),
                  .q_row = width,
                  .y = y.data_ptr<float>(),
                  .y_row = width},
                 head, 0.25f);
  }
  const auto wanted = attention_reference(q.to(torch::kFloat64), k.to(torch::kFloat64), v.to(torch::kFloat64),
                                          make_segments({tokens}, torch::kCPU), {0.25, window});
  EXPECT_LT(support::relative_error(y.view_as(q), wanted), 1e-6) << dim << " " << window;

  // A token alone has the same bits as among its neighbors.
  auto alone = torch::empty({1, width});
  for (int64_t head = 0; head < kv_heads; ++head) {
    cache.attend({.slot = 1,
                  .position = 61,
                  .tokens = 1,
                  .group = group,
                  .window = window,
                  .q = q[61].const_data_ptr<float>(),
                  .q_row = width,
                  .y = alone.data_ptr<float>(),
                  .y_row = width},
                 head, 0.25f);
  }
  EXPECT_TRUE(torch::equal(alone[0], y[61])) << dim << " " << window;
}

TEST(PanelCache, AttentionEqualsTheReferenceOverTheWholeSequence) {
  for (const int64_t dim : {10, 32}) compare_cached_attention(dim, 0);
}

TEST(PanelCache, WindowsEqualTheReference) {
  for (const int64_t window : {1, 5, 16, 17, 40, 75, 100}) compare_cached_attention(10, window);
}

}  // namespace
}  // namespace cuset::ops
