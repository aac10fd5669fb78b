// config.json of a Hugging Face model folder: Qwen2, Qwen3, Llama, Mistral and Qwen3-MoE causal
// language models.
//
// Only what changes the computation is read. Whatever is unusual (another class, another activation, a RoPE
// scaling that we do not have, quantized weights) is refused by its key and value, never ignored.
#pragma once

#include <torch/types.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"
#include "model/files/rope.h"

namespace cuset::model {

enum class ModelClass { kQwen2, kQwen3, kLlama, kMistral, kQwen3Moe };

// "Qwen2ForCausalLM", ...
std::string_view name_of(ModelClass model_class);

struct ModelConfig {
  ModelClass model_class = ModelClass::kLlama;
  int64_t hidden = 0;
  int64_t layers = 0;
  int64_t heads = 0;
  int64_t kv_heads = 0;
  int64_t head_dim = 0;
  int64_t intermediate = 0;
  int64_t vocab = 0;
  int64_t max_positions = 0;
  double rope_theta = 10000;
  RopeScaling rope_scaling = {};
  double norm_epsilon = 1e-6;
  double initializer_range = 0.02;
  bool tied_embeddings = false;
  bool qkv_bias = false;     // Qwen2 always; Llama and Qwen3 by attention_bias
  bool output_bias = false;  // of o_proj: Llama and Qwen3 by attention_bias
  bool mlp_bias = false;
  bool qk_norm = false;  // Qwen3 and Qwen3-MoE
  // Tokens that a token of each layer sees, itself included, 0: all before it; empty: all in every layer.
  std::vector<int64_t> windows = {};
  torch::ScalarType type = torch::kBFloat16;  // that the weights are said to be stored in

  // Experts of a sparse layer (model/experts.h); none where the class has none.
  int64_t experts = 0;
  int64_t experts_per_token = 0;
  int64_t expert_intermediate = 0;
  bool normalized_experts = false;       // the weights of a token's experts add up to 1
  std::vector<bool> sparse_layers = {};  // which layers have experts; empty: none

  int64_t parameters() const;         // number of weights, tied ones once
  int64_t active_parameters() const;  // those that one token meets: of the experts, the chosen ones alone
  bool has_experts(int64_t layer) const {
    return !sparse_layers.empty() && sparse_layers[static_cast<size_t>(layer)];
  }
  int64_t window_of(int64_t layer) const { return windows.empty() ? 0 : windows[static_cast<size_t>(layer)]; }
};

// `name` (the file) opens messages. Throws Error naming the key at fault and what is supported.
ModelConfig model_config_from_json(const base::Json& config, std::string_view name);

// Reads FOLDER/config.json.
ModelConfig read_model_config(const std::filesystem::path& folder);

// Frequencies of the rotary embedding after scaling, [head_dim / 2] float64 on the CPU.
torch::Tensor rotary_frequencies(const ModelConfig& config);

// One weight of a model folder: its name in the safetensors files and its shape.
struct WeightShape {
  std::string name;
  std::vector<int64_t> shape;
};

// All weights that a folder of this configuration has, in the order of the computation; lm_head.weight only
// where the embeddings are not tied.
std::vector<WeightShape> weight_shapes(const ModelConfig& config);

}  // namespace cuset::model
