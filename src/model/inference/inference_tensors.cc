// Inference with LibTorch's operations and our kernels (inference_backend.h).
//
// A product's bits may depend on its shape, so shapes are fixed: single tokens always run as a block of
// `slots` tokens with slot s in row s, and a longer extension runs alone, in blocks whose sizes depend on its
// own length. What a block does not fill is padding. Which rows share a call then changes nothing but the
// contents of other rows. An expert of a sparse layer takes all rows of a block of single tokens, for the same
// reason, and its own tokens of a longer extension.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "model/experts.h"
#include "model/inference/inference_backend.h"
#include "ops/cached_attention.h"
#include "ops/linear_cross_entropy.h"
#include "ops/rms_norm.h"
#include "ops/swiglu.h"

namespace cuset::model {
namespace {

// Sizes of the blocks that prompts run in; a long one fills as many of the largest as it can.
constexpr std::array<int64_t, 7> kBlockSizes = {16, 64, 128, 256, 512, 1024, 2048};

constexpr int64_t kLogitRows = 256;  // a divisor of the larger sizes

int64_t block_tokens(int64_t tokens) {
  const auto* found = std::lower_bound(kBlockSizes.begin(), kBlockSizes.end(), tokens);
  return found == kBlockSizes.end() ? kBlockSizes.back() : *found;
}

// Tokens that run together, on the host.
class TokenBlock {
 public:
  explicit TokenBlock(int64_t size) : host_(torch::zeros({4, size}, torch::kInt64)) {
    host_[kPositions].fill_(-1);
    host_[kAdapters].fill_(-1);
  }

  void set(int64_t at, int64_t id, const SequenceStep& row, int64_t position) {
    auto values = host_.accessor<int64_t, 2>();
    values[kIds][at] = id;
    values[kSlots][at] = row.slot;
    values[kPositions][at] = position;
    values[kAdapters][at] = row.adapter;
    longest_ = std::max(longest_, position + 1);
    adapters_.insert(row.adapter);
  }

  // One copy, which nobody waits for: hence from page-locked memory.
  torch::Tensor moved(torch::Device device) const {
    return (device.is_cuda() ? host_.pin_memory() : host_).to(device, /*non_blocking=*/true);
  }
  int64_t longest() const { return longest_; }
  const std::set<int64_t>& adapters() const { return adapters_; }

  enum Row : int64_t { kIds, kSlots, kPositions, kAdapters };

 private:
  torch::Tensor host_;
  int64_t longest_ = 0;
  std::set<int64_t> adapters_;
};

// The rows of a block that an adapter serves.
struct AdapterRows {
  size_t adapter;
  torch::Tensor others;  // [tokens, 1] bool: rows that it does not serve
};

// A block on the device.
struct DeviceBlock {
  torch::Tensor ids;
  ops::CachePlaces places;
  std::vector<AdapterRows> adapters;
  ops::CacheRun run;  // of no tokens: single tokens of many sequences
};

class TensorInference : public InferenceBackend {
 public:
  TensorInference(const ModelConfig& config, InferenceWeights weights, const InferenceLimits& limits);

  void set_adapter(size_t number, const Adapter& adapter) override;
  torch::Tensor extend(std::span<const SequenceStep> rows) override;

 private:
  using AdapterParts = std::vector<LowRankPart> InferenceAdapterLayer::*;

  DeviceBlock to_device(const TokenBlock& block, const ops::CacheRun& run) const;
  torch::Tensor hidden(const DeviceBlock& block);
  torch::Tensor linear(const torch::Tensor& x, const InferenceLinear& layer, size_t number,
                       AdapterParts parts, const DeviceBlock& block) const;
  torch::Tensor attend(const torch::Tensor& normed, size_t number, const DeviceBlock& block);
  torch::Tensor feed_forward(const torch::Tensor& normed, size_t number, const DeviceBlock& block) const;
  torch::Tensor mix_experts(const torch::Tensor& normed, size_t number, const DeviceBlock& block) const;
  void give_logits(const LogitsReceiver& receiver, int64_t begin, const torch::Tensor& states,
                   int64_t filled) const;
  torch::Tensor last_of_prompt(const SequenceStep& row);
  torch::Tensor of_single_tokens(std::span<const SequenceStep> rows);

  ModelConfig config_;
  InferenceLimits limits_;
  InferenceWeights weights_;
  torch::TensorOptions options_;
  ops::RotaryAngles angles_;  // of every position
  std::vector<ops::KeyValueCache> caches_;
  std::vector<InferenceAdapter> adapters_;
};

TensorInference::TensorInference(const ModelConfig& config, InferenceWeights weights,
                                 const InferenceLimits& limits)
    : config_(config), limits_(limits), weights_(std::move(weights)), options_(weights_.embedding.options()) {
  const auto positions =
      torch::arange(limits.positions, torch::TensorOptions(torch::kInt64).device(options_.device()));
  angles_ = ops::rotary_angles(rotary_frequencies(config).to(options_.device()), positions,
                               config.rope_scaling.attention_factor);
  const std::vector<int64_t> shape = {limits.slots, config.kv_heads, limits.positions, config.head_dim};
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    caches_.push_back({torch::zeros(shape, options_), torch::zeros(shape, options_)});
  }
}

void TensorInference::set_adapter(size_t number, const Adapter& adapter) {
  InferenceAdapter joined = join_adapter(config_, adapter, options_);
  if (number == adapters_.size()) adapters_.emplace_back();
  adapters_.at(number) = std::move(joined);
}

DeviceBlock TensorInference::to_device(const TokenBlock& block, const ops::CacheRun& run) const {
  const auto moved = block.moved(options_.device());
  DeviceBlock made{.ids = moved[TokenBlock::kIds],
                   .places = {moved[TokenBlock::kSlots], moved[TokenBlock::kPositions], block.longest()},
                   .adapters = {},
                   .run = run};
  for (const int64_t adapter : block.adapters()) {
    if (adapter < 0) continue;
    const auto of_token = moved[TokenBlock::kAdapters].unsqueeze(1);
    made.adapters.push_back({static_cast<size_t>(adapter), of_token != adapter});
  }
  return made;
}

torch::Tensor TensorInference::linear(const torch::Tensor& x, const InferenceLinear& layer, size_t number,
                                      AdapterParts parts, const DeviceBlock& block) const {
  auto y = layer.bias.defined() ? torch::addmm(layer.bias, x, layer.weight.t()) : x.mm(layer.weight.t());
  for (const AdapterRows& rows : block.adapters) {
    const InferenceAdapter& adapter = adapters_[rows.adapter];
    for (const LowRankPart& part : adapter.layers[number].*parts) {
      const auto narrow = x.mm(part.a.t()).masked_fill_(rows.others, 0);
      y.narrow(1, part.first, part.b.size(0)).add_(narrow.mm(part.b.t()), adapter.scale);
    }
  }
  return y;
}

torch::Tensor TensorInference::attend(const torch::Tensor& normed, size_t number, const DeviceBlock& block) {
  const InferenceLayer& layer = weights_.layers[number];
  const auto qkv = linear(normed, layer.qkv, number, &InferenceAdapterLayer::qkv, block);
  const ops::HeadTransform transform{layer.q_norm, layer.k_norm, config_.norm_epsilon, angles_};
  const auto q = ops::store_keys_values(qkv, transform, block.places, caches_[number]);
  const ops::AttentionScores scores(1 / std::sqrt(static_cast<double>(config_.head_dim)),
                                    config_.window_of(static_cast<int64_t>(number)));
  const auto mixed = block.run.tokens > 0
                         ? ops::cached_run_attention(q, block.places, block.run, caches_[number], scores)
                         : ops::cached_attention(q, block.places, caches_[number], scores);
  return linear(mixed.flatten(1), layer.output, number, &InferenceAdapterLayer::output, block);
}

torch::Tensor TensorInference::feed_forward(const torch::Tensor& normed, size_t number,
                                            const DeviceBlock& block) const {
  const InferenceLayer& layer = weights_.layers[number];
  if (!layer.experts.empty()) return mix_experts(normed, number, block);
  const auto gate_up = linear(normed, layer.gate_up, number, &InferenceAdapterLayer::gate_up, block);
  return linear(ops::swiglu_joined(gate_up), layer.down, number, &InferenceAdapterLayer::down, block);
}

// Experts without tokens are left out, so this waits for the router.
torch::Tensor TensorInference::mix_experts(const torch::Tensor& normed, size_t number,
                                           const DeviceBlock& block) const {
  const InferenceLayer& layer = weights_.layers[number];
  const int64_t k = config_.experts_per_token;
  const Routing routing = route(normed.mm(layer.router.t()), {k, config_.normalized_experts});
  const SortedPairs pairs = sort_by_expert(routing.experts, config_.experts);
  const auto tokens = pairs.order.floor_divide(k);
  const auto shares = routing.weights.flatten().index_select(0, pairs.order).unsqueeze(1);  // [pairs, 1]
  auto y = torch::zeros_like(normed);
  int64_t begin = 0;
  for (size_t e = 0; e < layer.experts.size(); begin += pairs.counts[e++]) {
    if (pairs.counts[e] == 0) continue;
    const InferenceExpert& expert = layer.experts[e];
    const auto apply = [&](const torch::Tensor& x) {
      return ops::swiglu_joined(x.mm(expert.gate_up.t())).mm(expert.down.t());
    };
    const auto rows = tokens.narrow(0, begin, pairs.counts[e]);
    const auto of_rows = block.run.tokens == 0 ? apply(normed).index_select(0, rows)  // one shape for all
                                               : apply(normed.index_select(0, rows));
    y.index_add_(0, rows, of_rows * shares.narrow(0, begin, pairs.counts[e]));
  }
  return y;
}

// [tokens, hidden] after the last norm.
torch::Tensor TensorInference::hidden(const DeviceBlock& block) {
  const double epsilon = config_.norm_epsilon;
  auto x = weights_.embedding.index_select(0, block.ids);
  auto normed = ops::rms_norm(x, {weights_.layers[0].input_norm, {}}, epsilon);
  for (size_t number = 0; number < weights_.layers.size(); ++number) {
    const bool is_last = number + 1 == weights_.layers.size();
    const auto& next_norm = is_last ? weights_.final_norm : weights_.layers[number + 1].input_norm;
    normed = ops::residual_norm(x, attend(normed, number, block), weights_.layers[number].post_attention_norm,
                                epsilon);
    normed = ops::residual_norm(x, feed_forward(normed, number, block), next_norm, epsilon);
  }
  return normed;
}

// Of the first `filled` of a block's states, in parts of one size, so that a large vocabulary fits into memory.
void TensorInference::give_logits(const LogitsReceiver& receiver, int64_t begin, const torch::Tensor& states,
                                  int64_t filled) const {
  const int64_t part = std::min(states.size(0), kLogitRows);
  for (int64_t at = 0; at < filled; at += part) {
    const auto logits = ops::head_logits(states.narrow(0, at, part), weights_.head).to(torch::kFloat32);
    receiver(begin + at, logits.narrow(0, 0, std::min(part, filled - at)));
  }
}

// [1, hidden] behind the last token.
torch::Tensor TensorInference::last_of_prompt(const SequenceStep& row) {
  const auto tokens = static_cast<int64_t>(row.tokens.size());
  torch::Tensor last;
  for (int64_t begin = 0; begin < tokens;) {
    const int64_t size = block_tokens(tokens - begin), filled = std::min(size, tokens - begin);
    TokenBlock block(size);
    for (int64_t i = 0; i < filled; ++i)
      block.set(i, row.tokens[static_cast<size_t>(begin + i)], row, row.start + begin + i);
    const ops::CacheRun run = ops::make_cache_run(row.slot, row.start + begin, filled, options_.device());
    const auto states = hidden(to_device(block, run));
    if (row.on_logits != nullptr) give_logits(*row.on_logits, begin, states, filled);
    last = states.narrow(0, filled - 1, 1);
    begin += filled;
  }
  return last;
}

// [slots, hidden], row s for slot s.
torch::Tensor TensorInference::of_single_tokens(std::span<const SequenceStep> rows) {
  TokenBlock block(limits_.slots);
  for (const SequenceStep& row : rows) {
    if (row.tokens.size() == 1) block.set(row.slot, row.tokens[0], row, row.start);
  }
  return hidden(to_device(block, {}));
}

torch::Tensor TensorInference::extend(std::span<const SequenceStep> rows) {
  // Every row's hidden state goes to its slot's place, so that the head has one shape as well.
  const bool has_singles =
      std::any_of(rows.begin(), rows.end(), [](const SequenceStep& row) { return row.tokens.size() == 1; });
  auto last = has_singles ? of_single_tokens(rows) : torch::zeros({limits_.slots, config_.hidden}, options_);
  std::vector<int64_t> slots;
  for (const SequenceStep& row : rows) {
    if (row.tokens.size() > 1) last.narrow(0, row.slot, 1).copy_(last_of_prompt(row));
    slots.push_back(row.slot);
  }
  const auto logits = ops::head_logits(last, weights_.head).to(torch::kFloat32);
  const auto order = torch::tensor(slots, torch::kInt64).to(options_.device(), /*non_blocking=*/true);
  return logits.index_select(0, order);
}

}  // namespace

std::unique_ptr<InferenceBackend> make_tensor_inference(const ModelConfig& config, InferenceWeights weights,
                                                        const InferenceLimits& limits) {
  return std::make_unique<TensorInference>(config, std::move(weights), limits);
}

}  // namespace cuset::model
