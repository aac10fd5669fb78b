#include "train/memory_estimate.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/human_readable.h"

namespace cuset::train {
namespace {

constexpr uint64_t kFloat = 4;
// As ops/linear_cross_entropy.cc chooses its chunks: the logits and, for what is not fused, one copy.
constexpr uint64_t kGpuChunk = uint64_t{2} * 320 << 20;
constexpr uint64_t kCpuChunk = uint64_t{2} * 4 << 20;

// Values per token of the SwiGLU blocks: gate and up. Every expert of a token has its own, and its own copies of
// what it reads and gives.
uint64_t values_of_mlp(const model::ModelConfig& config, bool is_sparse) {
  if (!is_sparse) return 2 * static_cast<uint64_t>(config.intermediate);
  return static_cast<uint64_t>(config.experts_per_token) *
         (2 * static_cast<uint64_t>(config.expert_intermediate) + 2 * static_cast<uint64_t>(config.hidden));
}

// Values per token that a layer keeps: inputs of both norms and what they give (4 x hidden), rotated queries
// and the attention's result, keys and values, gate and up; heads before their norm where the model has one.
uint64_t kept_by_layer(const model::ModelConfig& config, bool is_sparse) {
  const auto queries = static_cast<uint64_t>(config.heads * config.head_dim);
  const auto keys = static_cast<uint64_t>(config.kv_heads * config.head_dim);
  const uint64_t kept =
      4 * static_cast<uint64_t>(config.hidden) + 2 * queries + 2 * keys + values_of_mlp(config, is_sparse);
  return config.qk_norm ? kept + queries + keys : kept;
}

// Gradients that the backward of one layer holds at its widest place: those of the SwiGLU block.
uint64_t passing_through_layer(const model::ModelConfig& config, bool is_sparse) {
  return values_of_mlp(config, is_sparse) + 2 * static_cast<uint64_t>(config.hidden);
}

uint64_t activation_values(const MemoryNeed& need) {
  const model::ModelConfig& config = need.config;
  uint64_t all = 0, widest = 0, passing = 0;
  for (int64_t i = 0; i < config.layers; ++i) {
    const uint64_t layer = kept_by_layer(config, config.has_experts(i));
    all += layer;
    widest = std::max(widest, layer);
    passing = std::max(passing, passing_through_layer(config, config.has_experts(i)));
  }
  const uint64_t inputs = static_cast<uint64_t>(config.layers) * static_cast<uint64_t>(config.hidden);
  return need.tokens * ((need.recompute ? inputs + widest : all) + passing);
}

}  // namespace

std::string MemoryEstimate::text(uint64_t tokens) const {
  return fmt::format("{}: weights {}, trained {}, activations of {} tokens {}, head {}",
                     base::human_bytes(total()), base::human_bytes(weights), base::human_bytes(trained),
                     tokens, base::human_bytes(activations), base::human_bytes(head));
}

MemoryEstimate estimate_memory(const MemoryNeed& need) {
  const auto parameters = static_cast<uint64_t>(need.config.parameters());
  const uint64_t rounded = need.type_bytes < kFloat ? need.type_bytes : 0;
  MemoryEstimate estimate;
  estimate.weights = need.full ? 0 : parameters * need.type_bytes;
  estimate.trained = need.trained * (4 * kFloat + rounded);
  estimate.activations = activation_values(need) * need.type_bytes;
  const auto hidden = static_cast<uint64_t>(need.config.hidden);
  estimate.head = need.tokens * hidden * (2 * need.type_bytes + kFloat) + (need.gpu ? kGpuChunk : kCpuChunk);
  return estimate;
}

}  // namespace cuset::train
