#include "model/inference/expert_loops.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "ops/cpu/row_loops.h"
#include "ops/cpu/vector_loops.h"

namespace cuset::model {

ExpertLoops::ExpertLoops(const ModelConfig& config, InferenceLayer& layer)
    : rule_{config.experts_per_token, config.normalized_experts}, width_(config.expert_intermediate) {
  if (layer.experts.empty()) return;
  router_ = ops::PanelMatrix(std::exchange(layer.router, {}));
  for (InferenceExpert& expert : layer.experts) {
    experts_.push_back({ops::PanelMatrix(expert.gate_up), ops::PanelMatrix(expert.down)});
    expert = {};
  }
}

std::vector<std::vector<ExpertLoops::TokenShare>> ExpertLoops::route_tokens(
    const ops::PanelRows& normed) const {
  const auto count = static_cast<int64_t>(experts_.size()), stride = ops::panel_padded(count);
  std::vector<float> scores(static_cast<size_t>(normed.count * stride));
  router_.multiply(normed, {scores.data(), stride});
  std::vector<std::vector<TokenShare>> shares(experts_.size());
  std::vector<size_t> order(experts_.size());
  for (int64_t token = 0; token < normed.count; ++token) {
    float* p = scores.data() + token * stride;
    float sum = ops::exponentials_row(p, count, 1.0f, p);
    std::iota(order.begin(), order.end(), size_t{0});
    const auto best = order.begin() + rule_.experts_per_token;
    std::partial_sort(order.begin(), best, order.end(),
                      [&](size_t a, size_t b) { return p[a] != p[b] ? p[a] > p[b] : a < b; });
    if (rule_.normalized) {
      sum = 0;
      for (auto chosen = order.begin(); chosen != best; ++chosen) sum += p[*chosen];
    }
    for (auto chosen = order.begin(); chosen != best; ++chosen) {
      shares[*chosen].push_back({token, p[*chosen] / sum});
    }
  }
  return shares;
}

void ExpertLoops::add_expert(const Expert& expert, const std::vector<TokenShare>& shares,
                             const ops::PanelRows& normed, float* x, int64_t x_row) const {
  const auto tokens = static_cast<int64_t>(shares.size());
  const int64_t hidden = expert.down.out(), inner = ops::panel_padded(2 * width_);
  const int64_t outer = ops::panel_padded(hidden);
  std::vector<float> rows(static_cast<size_t>(tokens * hidden)), gate_up(static_cast<size_t>(tokens * inner));
  std::vector<float> output(static_cast<size_t>(tokens * outer));
  for (int64_t i = 0; i < tokens; ++i) {
    std::copy_n(normed.data + shares[static_cast<size_t>(i)].token * normed.stride, hidden,
                rows.data() + i * hidden);
  }
  expert.gate_up.multiply({rows.data(), hidden, tokens}, {gate_up.data(), inner});
  for (int64_t i = 0; i < tokens; ++i) {
    float* gate = gate_up.data() + i * inner;
    ops::swiglu_row(gate, gate + width_, width_, gate);
  }
  expert.down.multiply({gate_up.data(), inner, tokens}, {output.data(), outer});
  for (int64_t i = 0; i < tokens; ++i) {
    const TokenShare& share = shares[static_cast<size_t>(i)];
    ops::add_product({1, 1, hidden}, {&share.weight, 1}, {output.data() + i * outer, outer},
                     x + share.token * x_row, x_row);
  }
}

void ExpertLoops::add_to(const ops::PanelRows& normed, float* x, int64_t x_row) const {
  const std::vector<std::vector<TokenShare>> shares = route_tokens(normed);
  for (size_t e = 0; e < experts_.size(); ++e) {
    if (!shares[e].empty()) add_expert(experts_[e], shares[e], normed, x, x_row);
  }
}

}  // namespace cuset::model
