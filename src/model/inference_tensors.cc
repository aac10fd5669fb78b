// Inference with LibTorch's operations and our kernels (inference_backend.h).
//
// A product's bits may depend on its shape, so shapes are fixed: single tokens always run as a block of
// `slots` tokens with slot s in row s, and a longer extension runs alone, in blocks whose sizes depend on its
// own length. What a block does not fill is padding. Which rows share a call then changes nothing but the
// contents of other rows.
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

#include "base/error.h"
#include "model/inference_backend.h"
#include "ops/cached_attention.h"
#include "ops/head.h"
#include "ops/rms_norm.h"
#include "ops/swiglu.h"

namespace cuset {
namespace {

// Sizes of the blocks that prompts run in; a long one fills as many of the largest as it can.
constexpr std::array<int64_t, 5> kBlockTokens = {16, 64, 128, 256, 512};

int64_t block_tokens(int64_t tokens) {
  const auto* found = std::lower_bound(kBlockTokens.begin(), kBlockTokens.end(), tokens);
  return found == kBlockTokens.end() ? kBlockTokens.back() : *found;
}

// Tokens that run together, on the host; position -1 is padding.
struct TokenBlock {
  explicit TokenBlock(int64_t size)
      : ids(static_cast<size_t>(size), 0),
        slots(static_cast<size_t>(size), 0),
        positions(static_cast<size_t>(size), -1),
        adapters(static_cast<size_t>(size), -1) {}

  void set(size_t at, int64_t id, const SequenceStep& row, int64_t position) {
    ids[at] = id;
    slots[at] = row.slot;
    positions[at] = position;
    adapters[at] = row.adapter;
  }

  std::vector<int64_t> ids;
  std::vector<int64_t> slots;
  std::vector<int64_t> positions;
  std::vector<int64_t> adapters;
};

// The rows of a block that an adapter serves.
struct AdapterRows {
  size_t adapter;
  torch::Tensor others;  // [tokens, 1] bool: rows that it does not serve
};

// A block on the device.
struct DeviceBlock {
  torch::Tensor ids;
  CachePlaces places;
  std::vector<AdapterRows> adapters;
};

class TensorInference : public InferenceBackend {
 public:
  TensorInference(const ModelConfig& config, InferenceWeights weights, const InferenceLimits& limits);

  void add_adapter(const Adapter& adapter) override;
  torch::Tensor extend(std::span<const SequenceStep> rows) override;

 private:
  using AdapterParts = std::vector<LowRankPart> InferenceAdapterLayer::*;

  DeviceBlock to_device(const TokenBlock& block) const;
  torch::Tensor hidden(const TokenBlock& block);
  torch::Tensor linear(const torch::Tensor& x, const InferenceLinear& layer, size_t number,
                       AdapterParts parts, const DeviceBlock& block) const;
  torch::Tensor attend(const torch::Tensor& x, size_t number, const DeviceBlock& block);
  torch::Tensor feed_forward(const torch::Tensor& x, size_t number, const DeviceBlock& block) const;
  torch::Tensor last_of_prompt(const SequenceStep& row);
  torch::Tensor of_single_tokens(std::span<const SequenceStep> rows);

  torch::Tensor norm(const torch::Tensor& x, const torch::Tensor& weight) const {
    return rms_norm(x, {weight, {}}, config_.norm_epsilon);
  }

  ModelConfig config_;
  InferenceLimits limits_;
  InferenceWeights weights_;
  torch::TensorOptions options_;
  RotaryAngles angles_;  // of every position
  std::vector<KeyValueCache> caches_;
  std::vector<InferenceAdapter> adapters_;
};

TensorInference::TensorInference(const ModelConfig& config, InferenceWeights weights,
                                 const InferenceLimits& limits)
    : config_(config), limits_(limits), weights_(std::move(weights)), options_(weights_.embedding.options()) {
  const auto positions =
      torch::arange(limits.positions, torch::TensorOptions(torch::kInt64).device(options_.device()));
  angles_ = rotary_angles(rotary_frequencies(config).to(options_.device()), positions);
  const std::vector<int64_t> shape = {limits.slots, config.kv_heads, limits.positions, config.head_dim};
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    caches_.push_back({torch::zeros(shape, options_), torch::zeros(shape, options_)});
  }
}

void TensorInference::add_adapter(const Adapter& adapter) {
  adapters_.push_back(join_adapter(config_, adapter, options_));
}

DeviceBlock TensorInference::to_device(const TokenBlock& block) const {
  const auto device = options_.device();
  const auto moved = [&](const std::vector<int64_t>& values) {
    return torch::tensor(values, torch::kInt64).to(device);
  };
  DeviceBlock made{moved(block.ids), {moved(block.slots), moved(block.positions)}, {}};
  const std::set<int64_t> used(block.adapters.begin(), block.adapters.end());
  if (used == std::set<int64_t>{-1}) return made;
  const auto of_token = moved(block.adapters).unsqueeze(1);
  for (const int64_t adapter : used) {
    if (adapter >= 0) made.adapters.push_back({static_cast<size_t>(adapter), of_token != adapter});
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

torch::Tensor TensorInference::attend(const torch::Tensor& x, size_t number, const DeviceBlock& block) {
  const InferenceLayer& layer = weights_.layers[number];
  const auto normed = norm(x, layer.input_norm);
  const auto qkv = linear(normed, layer.qkv, number, &InferenceAdapterLayer::qkv, block);
  const HeadTransform transform{layer.q_norm, layer.k_norm, config_.norm_epsilon, angles_};
  const auto q = store_keys_values(qkv, transform, block.places, caches_[number]);
  const double scale = 1 / std::sqrt(static_cast<double>(config_.head_dim));
  const auto mixed = cached_attention(q, block.places, caches_[number], scale);
  return linear(mixed.flatten(1), layer.output, number, &InferenceAdapterLayer::output, block);
}

torch::Tensor TensorInference::feed_forward(const torch::Tensor& x, size_t number,
                                            const DeviceBlock& block) const {
  const InferenceLayer& layer = weights_.layers[number];
  const auto normed = norm(x, layer.post_attention_norm);
  const auto gate_up = linear(normed, layer.gate_up, number, &InferenceAdapterLayer::gate_up, block);
  const auto halves = gate_up.chunk(2, 1);
  return linear(swiglu(halves[0], halves[1]), layer.down, number, &InferenceAdapterLayer::down, block);
}

// [tokens, hidden] before the last norm.
torch::Tensor TensorInference::hidden(const TokenBlock& block) {
  const DeviceBlock tokens = to_device(block);
  auto x = weights_.embedding.index_select(0, tokens.ids);
  for (size_t number = 0; number < weights_.layers.size(); ++number) {
    x = x + attend(x, number, tokens);
    x = x + feed_forward(x, number, tokens);
  }
  return x;
}

// [1, hidden] behind the last token, after the last norm.
torch::Tensor TensorInference::last_of_prompt(const SequenceStep& row) {
  const auto tokens = static_cast<int64_t>(row.tokens.size());
  torch::Tensor last;
  for (int64_t begin = 0; begin < tokens;) {
    const int64_t size = block_tokens(tokens - begin), filled = std::min(size, tokens - begin);
    TokenBlock block(size);
    for (int64_t i = 0; i < filled; ++i) {
      block.set(static_cast<size_t>(i), row.tokens[static_cast<size_t>(begin + i)], row,
                row.start + begin + i);
    }
    last = hidden(block).narrow(0, filled - 1, 1);
    begin += filled;
  }
  return last;
}

// [slots, hidden], row s for slot s.
torch::Tensor TensorInference::of_single_tokens(std::span<const SequenceStep> rows) {
  TokenBlock block(limits_.slots);
  for (const SequenceStep& row : rows) {
    if (row.tokens.size() == 1) block.set(static_cast<size_t>(row.slot), row.tokens[0], row, row.start);
  }
  return hidden(block);
}

torch::Tensor TensorInference::extend(std::span<const SequenceStep> rows) {
  // Every row's hidden state goes to its slot's place, so that norm and head have one shape as well.
  auto last = torch::zeros({limits_.slots, config_.hidden}, options_);
  if (std::any_of(rows.begin(), rows.end(), [](const SequenceStep& row) { return row.tokens.size() == 1; })) {
    last = of_single_tokens(rows);
  }
  std::vector<int64_t> slots;
  for (const SequenceStep& row : rows) {
    if (row.tokens.size() > 1) last.narrow(0, row.slot, 1).copy_(last_of_prompt(row));
    slots.push_back(row.slot);
  }
  const auto logits = head_logits(norm(last, weights_.final_norm), weights_.head).to(torch::kFloat32);
  return logits.index_select(0, torch::tensor(slots, torch::kInt64).to(options_.device()));
}

}  // namespace

std::unique_ptr<InferenceBackend> make_tensor_inference(const ModelConfig& config, InferenceWeights weights,
                                                        const InferenceLimits& limits) {
  return std::make_unique<TensorInference>(config, std::move(weights), limits);
}

}  // namespace cuset
