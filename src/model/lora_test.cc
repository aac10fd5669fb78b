#include "model/lora.h"

#include <gtest/gtest.h>

#include "base/error.h"

namespace cuset::model {
namespace {

// Heads times head_dim differs from hidden, as in Qwen3-4B.
const ModelConfig kConfig{
    .hidden = 8, .layers = 2, .heads = 4, .kv_heads = 2, .head_dim = 4, .intermediate = 12};

std::string failure(const LoraSettings& settings) {
  try {
    lora_targets(kConfig, settings);
  } catch (const base::UsageError& error) {
    return error.one_line();
  }
  return "accepted";
}

TEST(LoraTargets, AllLinearLayersInOrder) {
  std::string dump;
  for (const LoraTarget& target : lora_targets(kConfig, {})) {
    dump += fmt::format("{} {}->{}\n", target.module, target.in, target.out);
  }
  EXPECT_EQ(dump.substr(0, dump.find("model.layers.1")),
            "model.layers.0.self_attn.q_proj 8->16\n"
            "model.layers.0.self_attn.k_proj 8->8\n"
            "model.layers.0.self_attn.v_proj 8->8\n"
            "model.layers.0.self_attn.o_proj 16->8\n"
            "model.layers.0.mlp.gate_proj 8->12\n"
            "model.layers.0.mlp.up_proj 8->12\n"
            "model.layers.0.mlp.down_proj 12->8\n");
}

TEST(LoraTargets, SomeLayersOnly) {
  const auto targets = lora_targets(kConfig, {.targets = {"v_proj", "q_proj"}});
  ASSERT_EQ(targets.size(), 4u);
  EXPECT_EQ(targets[0].module, "model.layers.0.self_attn.q_proj");
  EXPECT_EQ(targets[3].module, "model.layers.1.self_attn.v_proj");
}

TEST(LoraTargets, WrongSettingsAreNamed) {
  EXPECT_EQ(failure({.targets = {"q_porj"}}),
            "unknown LoRA target \"q_porj\"; did you mean 'q_proj'? (targets are q_proj, k_proj, v_proj, "
            "o_proj, gate_proj, up_proj, down_proj)");
  EXPECT_EQ(failure({.rank = 0}), "the LoRA rank is 0 (give a rank of 1 or more)");
}

TEST(LoraSettings, ScaleFollowsTheRank) {
  EXPECT_EQ((LoraSettings{.rank = 16, .alpha = 32}).scale(), 2);
  EXPECT_EQ((LoraSettings{.rank = 16, .alpha = 32, .rank_stabilized = true}).scale(), 8);
}

TEST(LoraWeights, NamesAndShapesArePeft) {
  const auto weights = lora_weights({{"model.layers.0.self_attn.o_proj", 16, 8}}, 3);
  ASSERT_EQ(weights.size(), 2u);
  EXPECT_EQ(weights[0].name, "base_model.model.model.layers.0.self_attn.o_proj.lora_A.weight");
  EXPECT_EQ(weights[0].shape, (std::vector<int64_t>{3, 16}));
  EXPECT_EQ(weights[1].name, "base_model.model.model.layers.0.self_attn.o_proj.lora_B.weight");
  EXPECT_EQ(weights[1].shape, (std::vector<int64_t>{8, 3}));
}

TrainedParameters initialized(const std::vector<LoraTarget>& targets, torch::ScalarType type) {
  TrainedParameters parameters(lora_weights(targets, 64), type, torch::kCPU);
  parameters.master().fill_(5);
  initialize_lora(parameters, targets, base::RandomStream(7, "adapter"));
  return parameters;
}

TEST(InitializeLora, AIsUniformAndBIsZero) {
  const std::vector<LoraTarget> targets = {{"layer", 400, 30}};
  const auto parameters = initialized(targets, torch::kFloat32);
  const auto a = parameters.master_of(lora_a_name("layer"));
  constexpr double bound = 0.05;  // 1 / sqrt(400)
  EXPECT_LT(a.abs().max().item<double>(), bound);
  EXPECT_GT(a.abs().max().item<double>(), 0.999 * bound);
  // Of 25,600 draws: five standard errors.
  EXPECT_NEAR(a.mean().item<double>(), 0, 5 * bound / std::sqrt(3 * 25600.0));
  EXPECT_NEAR(a.pow(2).mean().item<double>(), bound * bound / 3,
              5 * bound * bound * std::sqrt(4 / 45.0 / 25600));
  EXPECT_EQ(parameters.master_of(lora_b_name("layer")).abs().sum().item<float>(), 0);
}

TEST(InitializeLora, ALayerBeginsAlikeWhateverTheOthers) {
  const auto one = initialized({{"b", 8, 4}}, torch::kFloat32);
  const auto two = initialized({{"a", 8, 4}, {"b", 8, 4}}, torch::kBFloat16);
  EXPECT_TRUE(torch::equal(one.master_of(lora_a_name("b")), two.master_of(lora_a_name("b"))));
  EXPECT_FALSE(torch::equal(two.master_of(lora_a_name("a")), two.master_of(lora_a_name("b"))));
  EXPECT_TRUE(torch::equal(two.parameter(lora_a_name("b")).value,
                           one.master_of(lora_a_name("b")).to(torch::kBFloat16)));
}

TEST(Lora, ModelsWithExpertsHaveAdaptersOnAttention) {
  ModelConfig config = kConfig;
  config.model_class = ModelClass::kQwen3Moe;
  config.experts = 3;
  config.experts_per_token = 2;
  config.expert_intermediate = 5;
  config.sparse_layers = {true, false};
  std::string modules;
  for (const LoraTarget& target : lora_targets(config, {})) modules += target.module + "\n";
  EXPECT_EQ(modules,
            "model.layers.0.self_attn.q_proj\nmodel.layers.0.self_attn.k_proj\n"
            "model.layers.0.self_attn.v_proj\nmodel.layers.0.self_attn.o_proj\n"
            "model.layers.1.self_attn.q_proj\nmodel.layers.1.self_attn.k_proj\n"
            "model.layers.1.self_attn.v_proj\nmodel.layers.1.self_attn.o_proj\n");
  try {
    lora_targets(config, {.targets = {"q_proj", "up_proj"}});
    FAIL();
  } catch (const base::UsageError& error) {
    EXPECT_EQ(
        error.one_line(),
        "LoRA target \"up_proj\": experts take no adapter in Qwen3MoeForCausalLM (give all, which means q_proj, "
        "k_proj, v_proj, o_proj here, or some of them)");
  }
}

}  // namespace
}  // namespace cuset::model
