#include "train/memory_estimate.h"

#include <gtest/gtest.h>

namespace cuset::train {
namespace {

// Qwen2.5-7B.
model::ModelConfig seven_billion() {
  model::ModelConfig config;
  config.model_class = model::ModelClass::kQwen2;
  config.hidden = 3584;
  config.layers = 28;
  config.heads = 28;
  config.kv_heads = 4;
  config.head_dim = 128;
  config.intermediate = 18944;
  config.vocab = 152064;
  config.qkv_bias = true;
  return config;
}

TEST(MemoryEstimate, CountsWhatALayerKeeps) {
  const model::ModelConfig config = seven_billion();
  const MemoryEstimate estimate =
      estimate_memory({.config = config, .trained = 20'000'000, .gpu = true, .tokens = 4096});
  EXPECT_EQ(estimate.weights, 2 * 7'615'616'512u);
  EXPECT_EQ(estimate.trained, 18 * 20'000'000u);
  const uint64_t layer = 4 * 3584 + 2 * 3584 + 2 * 512 + 2 * 18944;
  EXPECT_EQ(estimate.activations, 2u * 4096 * (28 * layer + 2 * 18944 + 2 * 3584));
  EXPECT_EQ(estimate.total(), estimate.weights + estimate.trained + estimate.activations + estimate.head);
}

TEST(MemoryEstimate, RecomputationKeepsTheInputsOfLayers) {
  const model::ModelConfig config = seven_billion();
  MemoryNeed need{.config = config, .tokens = 4096};
  const uint64_t kept = estimate_memory(need).activations;
  need.recompute = true;
  EXPECT_LT(estimate_memory(need).activations, kept / 7);
}

// Qwen3-30B-A3B, with a dense layer.
TEST(MemoryEstimate, CountsTheExpertsOfATokenAlone) {
  model::ModelConfig config = seven_billion();
  config.layers = 2;
  config.experts = 128;
  config.experts_per_token = 8;
  config.expert_intermediate = 768;
  config.sparse_layers = {false, true};
  const MemoryEstimate estimate = estimate_memory({.config = config, .tokens = 100});
  const uint64_t attention = 4 * 3584 + 2 * 3584 + 2 * 512, experts = 8 * (2 * 768 + 2 * 3584);
  EXPECT_EQ(
      estimate.activations,
      2u * 100 * (2 * attention + 2 * 18944 + experts + std::max<uint64_t>(2 * 18944, experts) + 2 * 3584));
}

TEST(MemoryEstimate, FullTrainingHasNoFrozenWeights) {
  const model::ModelConfig config = seven_billion();
  const auto parameters = static_cast<uint64_t>(config.parameters());
  const MemoryEstimate estimate =
      estimate_memory({.config = config, .type_bytes = 4, .trained = parameters, .full = true, .tokens = 1});
  EXPECT_EQ(estimate.weights, 0u);
  EXPECT_EQ(estimate.trained, 16 * parameters);
}

}  // namespace
}  // namespace cuset::train
