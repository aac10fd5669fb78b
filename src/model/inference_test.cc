#include "model/inference.h"

#include <gtest/gtest.h>
#include <torch/cuda.h>
#include <torch/utils.h>

#include <algorithm>
#include <numeric>

#include "base/error.h"
#include "model/decoder.h"
#include "ops/head.h"

namespace cuset {
namespace {

using Tokens = std::vector<int64_t>;

// Sizes that fill no vector and no block of the loops.
ModelConfig odd_config(ModelClass model_class) {
  ModelConfig config;
  config.model_class = model_class;
  config.hidden = 20;
  config.layers = 2;
  config.heads = 6;
  config.kv_heads = 2;
  config.head_dim = 10;
  config.intermediate = 36;
  config.vocab = 53;
  config.max_positions = 512;
  return config;
}

// Between them, every optional part: biases, norms of q and k, tied embeddings, both kinds of RoPE scaling.
std::vector<ModelConfig> all_configs() {
  ModelConfig qwen2 = odd_config(ModelClass::kQwen2);
  qwen2.qkv_bias = qwen2.tied_embeddings = true;
  qwen2.rope_scaling = {.kind = RopeScaling::Kind::kLinear, .factor = 2};
  ModelConfig qwen3 = odd_config(ModelClass::kQwen3);
  qwen3.qk_norm = true;
  qwen3.heads = qwen3.kv_heads = 3;
  ModelConfig llama = odd_config(ModelClass::kLlama);
  llama.qkv_bias = llama.output_bias = llama.mlp_bias = true;
  llama.rope_scaling = {.kind = RopeScaling::Kind::kLlama3, .factor = 8, .original_positions = 64};
  ModelConfig aligned = odd_config(ModelClass::kLlama);
  aligned.hidden = 64;
  aligned.heads = 4;
  aligned.head_dim = 16;
  aligned.intermediate = 96;
  aligned.vocab = 80;
  aligned.tied_embeddings = true;
  return {qwen2, qwen3, llama, aligned};
}

std::vector<NamedTensor> random_weights(const ModelConfig& config,
                                        const torch::TensorOptions& options = torch::kFloat32) {
  torch::manual_seed(1);
  std::vector<NamedTensor> weights;
  for (const WeightShape& weight : weight_shapes(config)) {
    const bool is_norm = weight.name.find("norm") != std::string::npos;
    const auto noise = torch::randn(weight.shape, torch::kFloat64) * 0.3;
    weights.push_back({weight.name, (is_norm ? noise + 1 : noise).to(torch::kBFloat16).to(options)});
  }
  return weights;
}

Adapter random_adapter(const ModelConfig& config, uint64_t seed, std::vector<std::string> targets = {}) {
  torch::manual_seed(static_cast<int64_t>(seed));
  const LoraSettings settings{.rank = 3, .alpha = 6, .dropout = 0, .targets = std::move(targets)};
  Adapter adapter{settings, "base", {}};
  for (const TrainedWeight& weight : lora_weights(lora_targets(config, settings), settings.rank)) {
    adapter.tensors.push_back(
        {weight.name, (torch::randn(weight.shape) * 0.3).to(torch::kBFloat16).to(torch::kFloat32)});
  }
  return adapter;
}

Tokens random_tokens(const ModelConfig& config, size_t count, uint64_t seed) {
  RandomStream stream(seed, "tokens");
  Tokens tokens(count);
  for (int64_t& token : tokens)
    token = static_cast<int64_t>(stream.below(static_cast<uint64_t>(config.vocab)));
  return tokens;
}

// Logits behind every token of a sequence, from the decoder that trains, in float64: [tokens, vocab].
torch::Tensor wanted_logits(const ModelConfig& config, const Tokens& tokens,
                            const Adapter* adapter = nullptr) {
  const torch::NoGradGuard no_gradient;
  Decoder decoder(config, random_weights(config, torch::kFloat64));
  if (adapter != nullptr) {
    decoder.add_adapter(adapter->settings, RandomStream(1, "adapter"));
    decoder.load_adapter(*adapter);
    decoder = Decoder(config, decoder.merged_weights());
  }
  const auto hidden = decoder.hidden(make_token_batch({tokens}, torch::kCPU), {});
  return head_logits(hidden, decoder.head().value);
}

double distance(const torch::Tensor& value, const torch::Tensor& wanted) {
  const auto difference = value.to(torch::kCPU, torch::kFloat64) - wanted.to(torch::kFloat64);
  return (difference.abs().max() / wanted.abs().max()).item<double>();
}

// Extends slot `slot` alone by tokens begin .. end: [vocab].
torch::Tensor extend_one(InferenceModel& model, int64_t slot, const Tokens& tokens, size_t begin,
                         size_t end) {
  const SequenceExtension row{slot, std::span(tokens).subspan(begin, end - begin)};
  return model.extend(std::span(&row, 1))[0];
}

InferenceModel model_of(const ModelConfig& config,
                        const InferenceLimits& limits = {.slots = 5, .positions = 64},
                        const torch::TensorOptions& options = torch::kFloat32) {
  return {config, random_weights(config, options), limits};
}

constexpr double kLimit = 1e-5;

TEST(InferenceModel, TokenByTokenEqualsTheDecoder) {
  for (const ModelConfig& config : all_configs()) {
    const Tokens tokens = random_tokens(config, 40, 1);
    const auto wanted = wanted_logits(config, tokens);
    InferenceModel model = model_of(config);
    model.begin(2);
    for (size_t t = 0; t < tokens.size(); ++t) {
      EXPECT_LT(distance(extend_one(model, 2, tokens, t, t + 1), wanted[static_cast<int64_t>(t)]), kLimit)
          << t;
    }
    EXPECT_EQ(model.length(2), 40);
  }
}

TEST(InferenceModel, WholeAndInPartsEqualsTheDecoder) {
  for (const ModelConfig& config : all_configs()) {
    const Tokens tokens = random_tokens(config, 61, 2);
    const auto wanted = wanted_logits(config, tokens);
    InferenceModel model = model_of(config);
    for (const std::vector<size_t>& borders :
         {std::vector<size_t>{61}, {1, 2, 61}, {17, 33, 61}, {16, 32, 48, 61}}) {
      model.begin(0);
      size_t begin = 0;
      for (const size_t end : borders) {
        const auto logits = extend_one(model, 0, tokens, begin, end);
        EXPECT_LT(distance(logits, wanted[static_cast<int64_t>(end) - 1]), kLimit) << end;
        begin = end;
      }
    }
  }
}

// Rows of both adapters and of none, prompts beside single tokens, in one call.
TEST(InferenceModel, AdaptersServeAtOnceWithoutBeingMerged) {
  for (const ModelConfig& config : all_configs()) {
    const std::vector<Adapter> adapters = {random_adapter(config, 1),
                                           random_adapter(config, 2, {"v_proj", "up_proj", "down_proj"})};
    InferenceModel model = model_of(config);
    for (const Adapter& adapter : adapters) model.add_adapter(adapter);
    const std::vector<int64_t> uses = {1, -1, 0, 1, 0};
    std::vector<Tokens> tokens;
    std::vector<SequenceExtension> prompts, singles;
    for (size_t slot = 0; slot < uses.size(); ++slot) {
      tokens.push_back(random_tokens(config, 20 + slot, slot));
      model.begin(static_cast<int64_t>(slot), uses[slot]);
    }
    for (size_t slot = 0; slot < uses.size(); ++slot) {
      const auto all = std::span(tokens[slot]);
      prompts.push_back({static_cast<int64_t>(slot), all.first(slot == 2 ? 1 : all.size() - 1)});
      singles.push_back({static_cast<int64_t>(slot), all.subspan(prompts.back().tokens.size())});
    }
    model.extend(prompts);
    const auto logits = model.extend(singles);
    for (size_t slot = 0; slot < uses.size(); ++slot) {
      const Adapter* adapter = uses[slot] < 0 ? nullptr : &adapters[static_cast<size_t>(uses[slot])];
      const auto wanted = wanted_logits(config, tokens[slot], adapter);
      EXPECT_LT(distance(logits[static_cast<int64_t>(slot)], wanted[-1]), kLimit) << slot;
    }
  }
}

}  // namespace
}  // namespace cuset
