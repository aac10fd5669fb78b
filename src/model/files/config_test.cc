#include "model/files/config.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "base/files/temporary_folder.h"

namespace cuset::model {
namespace {

// Qwen2.5-Coder-7B as published.
base::Json qwen2_7b() {
  return {{"architectures", {"Qwen2ForCausalLM"}},
          {"attention_dropout", 0.0},
          {"bos_token_id", 151643},
          {"eos_token_id", {151643, 151645}},
          {"hidden_act", "silu"},
          {"hidden_size", 3584},
          {"initializer_range", 0.02},
          {"intermediate_size", 18944},
          {"max_position_embeddings", 32768},
          {"max_window_layers", 28},
          {"model_type", "qwen2"},
          {"num_attention_heads", 28},
          {"num_hidden_layers", 28},
          {"num_key_value_heads", 4},
          {"rms_norm_eps", 1e-06},
          {"rope_theta", 1000000.0},
          {"sliding_window", 131072},
          {"tie_word_embeddings", false},
          {"torch_dtype", "bfloat16"},
          {"use_cache", true},
          {"use_sliding_window", false},
          {"vocab_size", 152064}};
}

base::Json qwen3_4b() {
  base::Json config = qwen2_7b();
  config.update({{"architectures", {"Qwen3ForCausalLM"}},
                 {"model_type", "qwen3"},
                 {"head_dim", 128},
                 {"hidden_size", 2560},
                 {"intermediate_size", 9728},
                 {"num_attention_heads", 32},
                 {"num_hidden_layers", 36},
                 {"num_key_value_heads", 8},
                 {"tie_word_embeddings", true},
                 {"vocab_size", 151936}});
  return config;
}

base::Json llama31_8b() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"attention_bias", false},
          {"hidden_size", 4096},
          {"intermediate_size", 14336},
          {"max_position_embeddings", 131072},
          {"mlp_bias", false},
          {"num_attention_heads", 32},
          {"num_hidden_layers", 32},
          {"num_key_value_heads", 8},
          {"pretraining_tp", 1},
          {"rms_norm_eps", 1e-05},
          {"rope_scaling",
           {{"factor", 8.0},
            {"low_freq_factor", 1.0},
            {"high_freq_factor", 4.0},
            {"original_max_position_embeddings", 8192},
            {"rope_type", "llama3"}}},
          {"rope_theta", 500000.0},
          {"dtype", "float16"},
          {"vocab_size", 128256}};
}

// Qwen3-Coder-30B-A3B as published.
base::Json qwen3_coder_30b() {
  base::Json config = qwen3_4b();
  config.update({{"architectures", {"Qwen3MoeForCausalLM"}},
                 {"decoder_sparse_step", 1},
                 {"hidden_size", 2048},
                 {"intermediate_size", 5472},
                 {"max_position_embeddings", 262144},
                 {"mlp_only_layers", base::Json::array()},
                 {"model_type", "qwen3_moe"},
                 {"moe_intermediate_size", 768},
                 {"norm_topk_prob", true},
                 {"num_experts", 128},
                 {"num_experts_per_tok", 8},
                 {"num_hidden_layers", 48},
                 {"num_key_value_heads", 4},
                 {"output_router_logits", false},
                 {"rope_theta", 10000000},
                 {"router_aux_loss_coef", 0.0},
                 {"shared_expert_intermediate_size", 0},
                 {"sliding_window", nullptr},
                 {"tie_word_embeddings", false},
                 {"use_qk_norm", true}});
  return config;
}

// Mistral-7B-v0.1 as published.
base::Json mistral_7b() {
  return {{"architectures", {"MistralForCausalLM"}},
          {"hidden_act", "silu"},
          {"hidden_size", 4096},
          {"initializer_range", 0.02},
          {"intermediate_size", 14336},
          {"max_position_embeddings", 32768},
          {"model_type", "mistral"},
          {"num_attention_heads", 32},
          {"num_hidden_layers", 32},
          {"num_key_value_heads", 8},
          {"rms_norm_eps", 1e-05},
          {"rope_theta", 10000.0},
          {"sliding_window", 4096},
          {"tie_word_embeddings", false},
          {"torch_dtype", "bfloat16"},
          {"vocab_size", 32000}};
}

base::Json with(base::Json config, const base::Json& changes) {
  config.update(changes);
  return config;
}

base::Json without(base::Json config, const char* key) {
  config.erase(key);
  return config;
}

ModelConfig parse(const base::Json& config) { return model_config_from_json(config, "config.json"); }

std::string failure(const base::Json& config) {
  try {
    parse(config);
  } catch (const base::Error& error) {
    return error.one_line();
  }
  return "accepted";
}

TEST(ModelConfig, ReadsQwen2) {
  const ModelConfig config = parse(qwen2_7b());
  EXPECT_EQ(config.model_class, ModelClass::kQwen2);
  EXPECT_EQ(config.head_dim, 128);
  EXPECT_EQ(config.kv_heads, 4);
  EXPECT_EQ(config.rope_theta, 1e6);
  EXPECT_EQ(config.type, torch::kBFloat16);
  EXPECT_TRUE(config.qkv_bias);
  EXPECT_FALSE(config.output_bias);
  EXPECT_FALSE(config.qk_norm);
  EXPECT_EQ(name_of(config.model_class), "Qwen2ForCausalLM");
}

// As published with the models.
TEST(ModelConfig, CountsParameters) {
  EXPECT_EQ(parse(qwen2_7b()).parameters(), 7'615'616'512);
  EXPECT_EQ(parse(qwen3_4b()).parameters(), 4'022'468'096);
  EXPECT_EQ(parse(llama31_8b()).parameters(), 8'030'261'248);
  EXPECT_EQ(parse(mistral_7b()).parameters(), 7'241'732'096);
  EXPECT_EQ(parse(qwen3_coder_30b()).parameters(), 30'532'122'624);
  EXPECT_EQ(parse(qwen3_coder_30b()).active_parameters(),
            30'532'122'624 - int64_t{48} * 120 * 3 * 2048 * 768);
  EXPECT_EQ(parse(qwen2_7b()).active_parameters(), 7'615'616'512);
}

TEST(ModelConfig, ReadsLlama31) {
  const ModelConfig config = parse(llama31_8b());
  EXPECT_EQ(config.model_class, ModelClass::kLlama);
  EXPECT_EQ(config.rope_scaling.kind, RopeScaling::Kind::kLlama3);
  EXPECT_EQ(config.rope_scaling.factor, 8);
  EXPECT_EQ(config.rope_scaling.original_positions, 8192);
  EXPECT_EQ(config.norm_epsilon, 1e-5);
  EXPECT_EQ(config.type, torch::kFloat16);
  EXPECT_FALSE(config.qkv_bias);
}

TEST(ModelConfig, RopeParametersMeanTheSameAsTheOlderKeys) {
  base::Json newer = llama31_8b();
  base::Json rope = newer["rope_scaling"];
  rope["rope_theta"] = 500000.0;
  newer.erase("rope_scaling");
  newer.erase("rope_theta");
  newer["rope_parameters"] = rope;
  const ModelConfig a = parse(llama31_8b());
  const ModelConfig b = parse(newer);
  EXPECT_EQ(a.rope_theta, b.rope_theta);
  EXPECT_EQ(a.rope_scaling, b.rope_scaling);
  EXPECT_EQ(parse(with(qwen2_7b(), {{"rope_scaling", {{"type", "default"}}}})).rope_scaling, RopeScaling{});
  const ModelConfig linear =
      parse(with(llama31_8b(), {{"rope_scaling", {{"type", "linear"}, {"factor", 4}}}}));
  EXPECT_EQ(linear.rope_scaling.kind, RopeScaling::Kind::kLinear);
  EXPECT_EQ(linear.rope_scaling.factor, 4);
}

TEST(ModelConfig, AbsentKeysHaveTheirDefaults) {
  EXPECT_EQ(parse(without(llama31_8b(), "num_key_value_heads")).kv_heads, 32);
  EXPECT_EQ(parse(without(llama31_8b(), "rope_theta")).rope_theta, 10000);
  EXPECT_EQ(parse(with(llama31_8b(), {{"rope_scaling", nullptr}})).rope_scaling, RopeScaling{});
  EXPECT_EQ(parse(with(without(llama31_8b(), "architectures"), {{"model_type", "qwen3"}})).model_class,
            ModelClass::kQwen3);
  EXPECT_EQ(parse(without(with(qwen3_4b(), {{"hidden_size", 4096}, {"num_attention_heads", 16}}), "head_dim"))
                .head_dim,
            128);
}

TEST(ModelConfig, BiasesFollowTheClass) {
  const ModelConfig llama = parse(with(llama31_8b(), {{"attention_bias", true}, {"mlp_bias", true}}));
  EXPECT_TRUE(llama.qkv_bias && llama.output_bias && llama.mlp_bias);
  const ModelConfig qwen3 = parse(with(qwen3_4b(), {{"attention_bias", true}}));
  EXPECT_TRUE(qwen3.qkv_bias && qwen3.output_bias && qwen3.qk_norm);
}

using Windows = std::vector<int64_t>;

TEST(ModelConfig, WindowsOfMistralAreInEveryLayer) {
  const base::Json config = with(mistral_7b(), {{"num_hidden_layers", 2}});
  EXPECT_EQ(parse(config).windows, Windows({4096, 4096}));
  EXPECT_EQ(parse(with(config, {{"sliding_window", 7}})).windows, Windows({7, 7}));
  EXPECT_EQ(parse(with(config, {{"sliding_window", nullptr}})).windows, Windows());
  // As transformers, which has this value for files without the key.
  EXPECT_EQ(parse(without(config, "sliding_window")).windows, Windows({4096, 4096}));
  const base::Json mixed =
      with(config, {{"sliding_window", 7}, {"layer_types", {"full_attention", "sliding_attention"}}});
  EXPECT_EQ(parse(mixed).windows, Windows({0, 7}));
  EXPECT_EQ(parse(with(mixed, {{"architectures", {"MinistralForCausalLM"}}})).windows, Windows({0, 7}));
  EXPECT_EQ(parse(with(config, {{"head_dim", 64}})).head_dim, 64);
}

TEST(ModelConfig, WindowsOfQwenAreUsedWhereTheFileSaysSo) {
  const base::Json config = with(qwen3_4b(), {{"num_hidden_layers", 3}, {"sliding_window", 7}});
  EXPECT_EQ(parse(config).windows, Windows());
  const base::Json used = with(config, {{"use_sliding_window", true}});
  EXPECT_EQ(parse(used).windows, Windows());  // max_window_layers is 28
  EXPECT_EQ(parse(with(used, {{"max_window_layers", 1}})).windows, Windows({0, 7, 7}));
  EXPECT_EQ(parse(with(used, {{"sliding_window", nullptr}, {"max_window_layers", 1}})).windows, Windows());
  const base::Json types = {"sliding_attention", "full_attention", "sliding_attention"};
  EXPECT_EQ(parse(with(used, {{"layer_types", types}})).windows, Windows({7, 0, 7}));
  EXPECT_EQ(parse(with(used, {{"layer_types", types}})).window_of(1), 0);
  EXPECT_EQ(parse(with(used, {{"layer_types", types}})).window_of(2), 7);
  EXPECT_EQ(parse(config).window_of(2), 0);
}

TEST(ModelConfig, ReadsExperts) {
  const ModelConfig config = parse(qwen3_coder_30b());
  EXPECT_EQ(config.model_class, ModelClass::kQwen3Moe);
  EXPECT_EQ(config.experts, 128);
  EXPECT_EQ(config.experts_per_token, 8);
  EXPECT_EQ(config.expert_intermediate, 768);
  EXPECT_TRUE(config.normalized_experts && config.qk_norm && !config.qkv_bias);
  EXPECT_EQ(config.sparse_layers, std::vector<bool>(48, true));
  const base::Json newer = with(without(qwen3_coder_30b(), "num_experts"), {{"num_local_experts", 64}});
  EXPECT_EQ(parse(newer).experts, 64);
  EXPECT_FALSE(parse(qwen3_4b()).has_experts(0));
}

TEST(ModelConfig, SomeLayersOfASparseModelAreDense) {
  const base::Json config = with(qwen3_coder_30b(), {{"num_hidden_layers", 6}, {"decoder_sparse_step", 2}});
  EXPECT_EQ(parse(config).sparse_layers, std::vector<bool>({false, true, false, true, false, true}));
  const ModelConfig mixed = parse(with(config, {{"mlp_only_layers", {3, 0}}}));
  EXPECT_EQ(mixed.sparse_layers, std::vector<bool>({false, true, false, false, false, true}));
  EXPECT_TRUE(mixed.has_experts(5) && !mixed.has_experts(3));
}

TEST(ModelConfig, WindowsOfSparseModelsAreInEveryLayer) {
  const base::Json config = with(qwen3_coder_30b(), {{"num_hidden_layers", 2}, {"sliding_window", 7}});
  EXPECT_EQ(parse(config).windows, Windows());
  const base::Json used = with(config, {{"use_sliding_window", true}, {"max_window_layers", 1}});
  EXPECT_EQ(parse(used).windows, Windows({7, 7}));
  EXPECT_EQ(
      failure(with(used, {{"layer_types", {"sliding_attention", "full_attention"}}})),
      "config.json: field 'layer_types[1]' is \"full_attention\", but this class has its sliding window in "
      "every layer");
}

TEST(ModelConfig, RefusesExpertsThatItCannotCompute) {
  const base::Json config = qwen3_coder_30b();
  const std::vector<std::pair<base::Json, const char*>> cases = {
      {without(config, "num_experts"), "config.json: field 'num_local_experts' is missing"},
      {without(config, "moe_intermediate_size"), "config.json: field 'moe_intermediate_size' is missing"},
      {with(config, {{"num_experts_per_tok", 129}}),
       "config.json: field 'num_experts_per_tok' is 129, but there are 128 experts"},
      {with(config, {{"num_hidden_layers", 1000}}),
       "config.json: field 'num_experts' is 128; with 1000 layers that is more than 100000 experts"},
      {with(config, {{"mlp_only_layers", {48}}}),
       "config.json: field 'mlp_only_layers[0]' must be a whole number from 0 to 47, found the number 48"},
      {with(config, {{"decoder_sparse_step", 0}}),
       "config.json: field 'decoder_sparse_step' must be a whole number from 1 to 10000, found the number 0"},
      {with(config, {{"shared_expert_intermediate_size", 512}}),
       "config.json: field 'shared_expert_intermediate_size' is 512; only 0 is supported"},
      {with(config, {{"output_router_logits", true}}),
       "config.json: field 'output_router_logits' is true; the loss that balances the router is not supported "
       "(set it to false)"},
  };
  for (const auto& [json, message] : cases) EXPECT_EQ(failure(json), message);
}

TEST(ModelConfig, RefusesWhatItCannotComputeByKeyAndValue) {
  const std::vector<std::pair<base::Json, const char*>> cases = {
      {with(qwen2_7b(), {{"architectures", {"GemmaForCausalLM"}}}),
       "config.json: field 'architectures[0]' is \"GemmaForCausalLM\", which is not supported (supported are "
       "Qwen2ForCausalLM, Qwen3ForCausalLM, LlamaForCausalLM, MistralForCausalLM, MinistralForCausalLM, "
       "Qwen3MoeForCausalLM)"},
      {with(without(qwen2_7b(), "architectures"), {{"model_type", "mixtral"}}),
       "config.json: field 'model_type' is \"mixtral\", which is not supported (supported are qwen2, qwen3, "
       "llama, mistral, ministral, qwen3_moe)"},
      {with(qwen2_7b(), {{"hidden_act", "gelu"}}),
       "config.json: field 'hidden_act' must be \"silu\", found the string \"gelu\""},
      {with(llama31_8b(), {{"use_sliding_window", true}}),
       "config.json: field 'use_sliding_window' is true; this class has no sliding windows (set it to false to "
       "attend to whole sequences)"},
      {with(qwen2_7b(), {{"num_hidden_layers", 2}, {"layer_types", {"full_attention", "sliding_attention"}}}),
       "config.json: field 'layer_types[1]' is \"sliding_attention\", but no sliding window is in use (set "
       "sliding_window, and for Qwen use_sliding_window, or make it \"full_attention\")"},
      {with(qwen2_7b(), {{"num_hidden_layers", 1}, {"layer_types", {"chunked_attention"}}}),
       "config.json: field 'layer_types[0]' must be \"full_attention\" or \"sliding_attention\", found the string "
       "\"chunked_attention\""},
      {with(mistral_7b(), {{"sliding_window", 0}}),
       "config.json: field 'sliding_window' must be a whole number from 1 to 2147483648, found the number 0"},
      {with(qwen2_7b(), {{"layer_types", {"full_attention", "full_attention"}}}),
       "config.json: field 'layer_types' must be a list of 28 strings, one for each layer"},
      {with(qwen2_7b(), {{"quantization_config", {{"quant_method", "awq"}}}}),
       "config.json: field 'quantization_config' is set: quantized weights are not supported (take the model "
       "in bfloat16)"},
      {with(qwen2_7b(), {{"attention_dropout", 0.1}}),
       "config.json: field 'attention_dropout' is 0.1; only 0 is supported"},
      {with(llama31_8b(), {{"pretraining_tp", 2}}),
       "config.json: field 'pretraining_tp' is 2; only 1 is supported"},
      {with(llama31_8b(), {{"partial_rotary_factor", 0.5}}),
       "config.json: field 'partial_rotary_factor' is 0.5; only 1 is supported"},
      {with(llama31_8b(), {{"rope_scaling", {{"rope_type", "longrope"}, {"factor", 4.0}}}}),
       "config.json: field 'rope_scaling.rope_type' is \"longrope\"; supported are default, linear, llama3 and "
       "yarn"},
      {with(qwen2_7b(), {{"rope_scaling", {{"rope_type", "yarn"}, {"factor", 0.5}}}}),
       "config.json: field 'rope_scaling.factor' must be a number of 1 or more, found the number 0.5"},
      {with(qwen2_7b(), {{"rope_scaling", {{"type", "yarn"}, {"original_max_position_embeddings", 65536}}}}),
       "config.json: field 'rope_scaling.factor' is missing, and max_position_embeddings, 32768, is below "
       "original_max_position_embeddings, 65536"},
      {with(qwen2_7b(),
            {{"rope_scaling", {{"type", "yarn"}, {"factor", 4}, {"beta_fast", 2}, {"beta_slow", 3}}}}),
       "config.json: field 'rope_scaling.beta_slow' is 3, not above 0 and up to beta_fast, 2"},
      {with(qwen2_7b(), {{"rope_scaling", {{"type", "yarn"}, {"factor", 4}, {"attention_factor", 0}}}}),
       "config.json: field 'rope_scaling.attention_factor' must be a number above 0, found the number 0"},
      {with(qwen2_7b(), {{"rope_scaling", {{"type", "yarn"}, {"factor", 4}}}, {"rope_theta", 1}}),
       "config.json: field 'rope_theta' is 1; the scaling yarn needs more than 1"},
      {with(llama31_8b(), {{"rope_scaling", {{"rope_type", "linear"}}}}),
       "config.json: field 'rope_scaling.factor' is missing; the scaling linear needs it"},
      {with(llama31_8b(), {{"rope_parameters", {{"full_attention", {{"rope_theta", 1.0}}}}}}),
       "config.json: field 'rope_parameters.full_attention' is not supported (supported here: rope_type, "
       "type, "
       "rope_theta, factor, low_freq_factor, high_freq_factor, original_max_position_embeddings, "
       "attention_factor, beta_fast, beta_slow, mscale, mscale_all_dim, truncate, partial_rotary_factor)"},
      {with(llama31_8b(), {{"rope_parameters", {{"rope_theta", 1e4}}}}),
       "config.json: field 'rope_parameters.rope_theta' is 10000, but 500000 elsewhere in the file"},
      {with(qwen2_7b(), {{"torch_dtype", "float8_e4m3fn"}}),
       "config.json: field 'torch_dtype' is \"float8_e4m3fn\"; supported are bfloat16, float16 and float32"},
  };
  for (const auto& [config, message] : cases) EXPECT_EQ(failure(config), message);
}

TEST(ModelConfig, RefusesSizesThatMakeNoModel) {
  const std::vector<std::pair<base::Json, const char*>> cases = {
      {without(qwen2_7b(), "vocab_size"), "config.json: field 'vocab_size' is missing"},
      {with(qwen2_7b(), {{"hidden_size", 0}}),
       "config.json: field 'hidden_size' must be a whole number from 1 to 1048576, found the number 0"},
      {with(qwen2_7b(), {{"hidden_size", -3584}}),
       "config.json: field 'hidden_size' must be a whole number from 1 to 1048576, found the number -3584"},
      {with(qwen2_7b(), {{"num_hidden_layers", "28"}}),
       "config.json: field 'num_hidden_layers' must be a whole number from 1 to 10000, found the string "
       "\"28\""},
      {with(qwen2_7b(), {{"num_hidden_layers", 2.5}}),
       "config.json: field 'num_hidden_layers' must be a whole number from 1 to 10000, found the number 2.5"},
      {with(qwen2_7b(), {{"vocab_size", 18446744073709551615u}}),
       "config.json: field 'vocab_size' must be a whole number from 1 to 67108864, found the number "
       "18446744073709551615"},
      {with(qwen2_7b(), {{"num_key_value_heads", 3}}),
       "config.json: field 'num_attention_heads' is 28, not a multiple of num_key_value_heads, 3"},
      {with(qwen2_7b(), {{"head_dim", 127}}),
       "config.json: field 'head_dim' is 127; rotary embeddings need an even number up to 4096"},
      {with(qwen2_7b(), {{"hidden_size", 3585}}),
       "config.json: field 'hidden_size' is 3585, not a multiple of num_attention_heads, 28, and there is no "
       "head_dim"},
      {with(qwen2_7b(), {{"rms_norm_eps", 0}}),
       "config.json: field 'rms_norm_eps' must be a number above 0, found the number 0"},
      {with(qwen2_7b(), {{"tie_word_embeddings", 1}}),
       "config.json: field 'tie_word_embeddings' must be true or false, found the number 1"},
      {base::Json::array(), "config.json: the top level must be an object, found a list"},
  };
  for (const auto& [config, message] : cases) EXPECT_EQ(failure(config), message);
}

TEST(ModelConfig, AFolderWithoutConfigIsNamed) {
  const base::TemporaryFolder folder;
  try {
    read_model_config(folder.path());
    FAIL();
  } catch (const base::Error& error) {
    EXPECT_EQ(
        error.one_line(),
        folder.path().string() + " has no config.json (give the folder of a model in Hugging Face's format)");
  }
}

TEST(WeightShapes, FollowTheComputation) {
  const ModelConfig config =
      parse(with(qwen3_4b(), {{"num_hidden_layers", 1}, {"tie_word_embeddings", false}}));
  std::string dump;
  for (const WeightShape& weight : weight_shapes(config)) {
    dump += fmt::format("{} {}\n", weight.name, fmt::join(weight.shape, "x"));
  }
  EXPECT_EQ(dump,
            "model.embed_tokens.weight 151936x2560\n"
            "model.layers.0.input_layernorm.weight 2560\n"
            "model.layers.0.self_attn.q_proj.weight 4096x2560\n"
            "model.layers.0.self_attn.k_proj.weight 1024x2560\n"
            "model.layers.0.self_attn.v_proj.weight 1024x2560\n"
            "model.layers.0.self_attn.q_norm.weight 128\n"
            "model.layers.0.self_attn.k_norm.weight 128\n"
            "model.layers.0.self_attn.o_proj.weight 2560x4096\n"
            "model.layers.0.post_attention_layernorm.weight 2560\n"
            "model.layers.0.mlp.gate_proj.weight 9728x2560\n"
            "model.layers.0.mlp.up_proj.weight 9728x2560\n"
            "model.layers.0.mlp.down_proj.weight 2560x9728\n"
            "model.norm.weight 2560\n"
            "lm_head.weight 151936x2560\n");
}

TEST(WeightShapes, ExpertsHaveTheirNames) {
  const ModelConfig config = parse(with(
      qwen3_coder_30b(),
      {{"num_hidden_layers", 2}, {"num_experts", 2}, {"num_experts_per_tok", 1}, {"mlp_only_layers", {0}}}));
  std::string dump;
  for (const WeightShape& weight : weight_shapes(config)) {
    if (weight.name.find(".mlp.") == std::string::npos) continue;
    dump += fmt::format("{} {}\n", weight.name, fmt::join(weight.shape, "x"));
  }
  EXPECT_EQ(dump,
            "model.layers.0.mlp.gate_proj.weight 5472x2048\n"
            "model.layers.0.mlp.up_proj.weight 5472x2048\n"
            "model.layers.0.mlp.down_proj.weight 2048x5472\n"
            "model.layers.1.mlp.gate.weight 2x2048\n"
            "model.layers.1.mlp.experts.0.gate_proj.weight 768x2048\n"
            "model.layers.1.mlp.experts.0.up_proj.weight 768x2048\n"
            "model.layers.1.mlp.experts.0.down_proj.weight 2048x768\n"
            "model.layers.1.mlp.experts.1.gate_proj.weight 768x2048\n"
            "model.layers.1.mlp.experts.1.up_proj.weight 768x2048\n"
            "model.layers.1.mlp.experts.1.down_proj.weight 2048x768\n");
}

}  // namespace
}  // namespace cuset::model
