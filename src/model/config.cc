#include "model/config.h"

#include <fmt/ranges.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <optional>

#include "base/error.h"
#include "model/json_section.h"

namespace cuset {
namespace {

struct KnownClass {
  ModelClass model_class;
  std::string_view architecture;
  std::string_view model_type;
};

constexpr std::array<KnownClass, 3> kClasses = {
    KnownClass{ModelClass::kQwen2, "Qwen2ForCausalLM", "qwen2"},
    KnownClass{ModelClass::kQwen3, "Qwen3ForCausalLM", "qwen3"},
    KnownClass{ModelClass::kLlama, "LlamaForCausalLM", "llama"},
};

// Far above every model there is, and small enough that no product of them overflows.
constexpr int64_t kMostWidth = int64_t{1} << 20;
constexpr int64_t kMostLayers = 10'000;
constexpr int64_t kMostHeads = 4096;
constexpr int64_t kMostHeadDim = 4096;
constexpr int64_t kMostVocab = int64_t{1} << 26;
constexpr int64_t kMostPositions = int64_t{1} << 31;

// What transformers takes where a Qwen3 file does not say; the others divide hidden_size.
constexpr int64_t kQwen3HeadDim = 128;

// `architectures` decides; `model_type` only where that is absent.
std::pair<std::string_view, std::string> class_key(const JsonSection& config) {
  const Json* architectures = config.find("architectures");
  if (architectures == nullptr || (architectures->is_array() && architectures->empty())) {
    const std::string* type = config.text("model_type");
    if (type == nullptr) {
      config.refuse("architectures", "is missing", "is this the folder of a language model?");
    }
    return {"model_type", *type};
  }
  if (!architectures->is_array() || !architectures->front().is_string()) {
    config.refuse("architectures", "must be a list of strings");
  }
  return {"architectures", architectures->front().get<std::string>()};
}

ModelClass read_class(const JsonSection& config) {
  const auto [key, name] = class_key(config);
  std::vector<std::string_view> supported;
  for (const KnownClass& known : kClasses) {
    supported.push_back(key == "model_type" ? known.model_type : known.architecture);
    if (name == supported.back()) return known.model_class;
  }
  config.refuse(key, fmt::format("is {}, which is not supported", in_quotes(name)),
                fmt::format("supported are {}", fmt::join(supported, ", ")));
}

torch::ScalarType read_type(const JsonSection& config, torch::ScalarType otherwise) {
  const char* key = config.find("dtype") != nullptr ? "dtype" : "torch_dtype";
  const std::string* text = config.text(key);
  if (text == nullptr) return otherwise;
  if (*text == "bfloat16") return torch::kBFloat16;
  if (*text == "float16") return torch::kFloat16;
  if (*text == "float32") return torch::kFloat32;
  config.refuse(key, fmt::format("is {}; supported are bfloat16, float16 and float32", in_quotes(*text)));
}

void read_sizes(const JsonSection& config, ModelConfig& out) {
  out.hidden = config.required_integer("hidden_size", kMostWidth);
  out.layers = config.required_integer("num_hidden_layers", kMostLayers);
  out.heads = config.required_integer("num_attention_heads", kMostHeads);
  out.intermediate = config.required_integer("intermediate_size", kMostWidth);
  out.vocab = config.required_integer("vocab_size", kMostVocab);
  out.max_positions = config.required_integer("max_position_embeddings", kMostPositions);
  out.kv_heads = config.integer("num_key_value_heads", kMostHeads).value_or(out.heads);
  if (out.heads % out.kv_heads != 0) {
    config.refuse("num_attention_heads",
                  fmt::format("is {}, no multiple of num_key_value_heads, {}", out.heads, out.kv_heads));
  }
}

int64_t read_head_dim(const JsonSection& config, const ModelConfig& sizes) {
  std::optional<int64_t> head_dim = config.integer("head_dim", kMostHeadDim);
  if (!head_dim && sizes.model_class == ModelClass::kQwen3) head_dim = kQwen3HeadDim;
  if (!head_dim && sizes.hidden % sizes.heads != 0) {
    config.refuse("hidden_size", fmt::format("is {}, no multiple of num_attention_heads, {}, and there is no "
                                             "head_dim",
                                             sizes.hidden, sizes.heads));
  }
  const int64_t value = head_dim.value_or(sizes.hidden / sizes.heads);
  if (value % 2 != 0 || value > kMostHeadDim) {
    config.refuse("head_dim",
                  fmt::format("is {}; rotary embeddings need an even number up to {}", value, kMostHeadDim));
  }
  return value;
}

RopeScaling read_llama3_scaling(const JsonSection& rope, RopeScaling scaling) {
  const auto required = [&](std::string_view key) {
    const std::optional<double> value = rope.positive(key);
    if (!value) rope.refuse(key, "is missing; the scaling llama3 needs it");
    return *value;
  };
  scaling.kind = RopeScaling::Kind::kLlama3;
  scaling.low_frequency_factor = required("low_freq_factor");
  scaling.high_frequency_factor = required("high_freq_factor");
  scaling.original_positions = required("original_max_position_embeddings");
  if (scaling.low_frequency_factor >= scaling.high_frequency_factor) {
    rope.refuse("low_freq_factor", fmt::format("is {}, not below high_freq_factor, {}",
                                               scaling.low_frequency_factor, scaling.high_frequency_factor));
  }
  return scaling;
}

RopeScaling read_scaling(const JsonSection& rope) {
  rope.expect_keys({"rope_type", "type", "rope_theta", "factor", "low_freq_factor", "high_freq_factor",
                    "original_max_position_embeddings", "partial_rotary_factor"});
  rope.expect("partial_rotary_factor", 1);
  const char* key = rope.find("rope_type") != nullptr ? "rope_type" : "type";
  const std::string* type = rope.text(key);
  if (type == nullptr || *type == "default") return {};
  if (*type != "linear" && *type != "llama3") {
    rope.refuse(key, fmt::format("is {}; supported are default, linear and llama3", in_quotes(*type)));
  }
  RopeScaling scaling{.kind = RopeScaling::Kind::kLinear};
  const std::optional<double> factor = rope.number("factor");
  if (!factor) rope.refuse("factor", fmt::format("is missing; the scaling {} needs it", *type));
  if (!(*factor >= 1)) rope.refuse("factor", fmt::format("must be 1 or more, not {}", *factor));
  scaling.factor = *factor;
  return *type == "llama3" ? read_llama3_scaling(rope, scaling) : scaling;
}

// Older files have rope_theta and rope_scaling, newer ones rope_parameters with both. What is said twice must
// agree.
void read_rope(const JsonSection& config, ModelConfig& out) {
  config.expect("partial_rotary_factor", 1);
  std::optional<double> theta = config.positive("rope_theta");
  std::optional<RopeScaling> scaling;
  for (const char* key : {"rope_parameters", "rope_scaling"}) {
    const std::optional<JsonSection> rope = config.section(key);
    if (!rope) continue;
    const RopeScaling here = read_scaling(*rope);
    if (scaling && *scaling != here) config.refuse(key, "disagrees with rope_parameters");
    scaling = here;
    const std::optional<double> theta_here = rope->positive("rope_theta");
    if (theta && theta_here && *theta != *theta_here) {
      rope->refuse("rope_theta", fmt::format("is {}, but {} elsewhere in the file", *theta_here, *theta));
    }
    if (theta_here) theta = theta_here;
  }
  out.rope_theta = theta.value_or(out.rope_theta);
  out.rope_scaling = scaling.value_or(RopeScaling{});
}

void refuse_windows(const JsonSection& config, int64_t layers) {
  if (config.flag("use_sliding_window")) {
    config.refuse("use_sliding_window", "is true; sliding windows are not supported",
                  "set it to false to attend to whole sequences");
  }
  const Json* types = config.find("layer_types");
  if (types == nullptr) return;
  if (!types->is_array() || types->size() != static_cast<size_t>(layers)) {
    config.refuse("layer_types", fmt::format("must be a list of {} strings", layers));
  }
  for (const Json& type : *types) {
    if (type == "full_attention") continue;
    config.refuse("layer_types",
                  fmt::format("has {}; only \"full_attention\" is supported", shown_json(type)));
  }
}

void refuse_the_unusual(const JsonSection& config) {
  const std::string* activation = config.text("hidden_act");
  if (activation != nullptr && *activation != "silu") {
    config.refuse("hidden_act", fmt::format("is {}; only \"silu\" is supported", in_quotes(*activation)));
  }
  if (config.find("quantization_config") != nullptr) {
    config.refuse("quantization_config", "is there: the weights are quantised, which is not supported",
                  "take the model in bfloat16");
  }
  config.expect("attention_dropout", 0);
  config.expect("pretraining_tp", 1);
}

void read_class_features(const JsonSection& config, ModelConfig& out) {
  const bool attention_bias = config.flag("attention_bias");
  const bool is_qwen2 = out.model_class == ModelClass::kQwen2;
  out.qkv_bias = is_qwen2 || attention_bias;
  out.output_bias = !is_qwen2 && attention_bias;
  out.mlp_bias = out.model_class == ModelClass::kLlama && config.flag("mlp_bias");
  out.qk_norm = out.model_class == ModelClass::kQwen3;
  out.tied_embeddings = config.flag("tie_word_embeddings");
}

// One frequency of the llama3 scaling: long waves are slowed down by the factor, short ones kept, those
// between blended.
double llama3_frequency(double frequency, const RopeScaling& scaling) {
  const double turns = scaling.original_positions * frequency / (2 * std::numbers::pi);
  const double low = scaling.low_frequency_factor;
  const double high = scaling.high_frequency_factor;
  if (turns < low) return frequency / scaling.factor;
  if (turns > high) return frequency;
  const double kept = (turns - low) / (high - low);
  return (1 - kept) * frequency / scaling.factor + kept * frequency;
}

double scaled_frequency(double frequency, const RopeScaling& scaling) {
  switch (scaling.kind) {
    case RopeScaling::Kind::kNone:
      return frequency;
    case RopeScaling::Kind::kLinear:
      return frequency / scaling.factor;
    case RopeScaling::Kind::kLlama3:
      return llama3_frequency(frequency, scaling);
  }
  CUSET_CHECK(false, "RoPE scaling {}", static_cast<int>(scaling.kind));
  return 0;
}

void add_attention_shapes(const ModelConfig& config, const std::string& layer,
                          std::vector<WeightShape>& shapes) {
  const int64_t queries = config.heads * config.head_dim;
  const int64_t keys = config.kv_heads * config.head_dim;
  const auto add_linear = [&](const char* name, int64_t out, int64_t in, bool bias) {
    shapes.push_back({layer + name + ".weight", {out, in}});
    if (bias) shapes.push_back({layer + name + ".bias", {out}});
  };
  add_linear("self_attn.q_proj", queries, config.hidden, config.qkv_bias);
  add_linear("self_attn.k_proj", keys, config.hidden, config.qkv_bias);
  add_linear("self_attn.v_proj", keys, config.hidden, config.qkv_bias);
  if (config.qk_norm) {
    shapes.push_back({layer + "self_attn.q_norm.weight", {config.head_dim}});
    shapes.push_back({layer + "self_attn.k_norm.weight", {config.head_dim}});
  }
  add_linear("self_attn.o_proj", config.hidden, queries, config.output_bias);
}

void add_mlp_shapes(const ModelConfig& config, const std::string& layer, std::vector<WeightShape>& shapes) {
  for (const char* name : {"gate_proj", "up_proj"}) {
    shapes.push_back({layer + "mlp." + name + ".weight", {config.intermediate, config.hidden}});
    if (config.mlp_bias) shapes.push_back({layer + "mlp." + name + ".bias", {config.intermediate}});
  }
  shapes.push_back({layer + "mlp.down_proj.weight", {config.hidden, config.intermediate}});
  if (config.mlp_bias) shapes.push_back({layer + "mlp.down_proj.bias", {config.hidden}});
}

}  // namespace

std::string_view name_of(ModelClass model_class) {
  for (const KnownClass& known : kClasses) {
    if (known.model_class == model_class) return known.architecture;
  }
  CUSET_CHECK(false, "model class {}", static_cast<int>(model_class));
  return {};
}

int64_t ModelConfig::parameters() const {
  int64_t sum = 0;
  for (const WeightShape& weight : weight_shapes(*this)) {
    sum += std::accumulate(weight.shape.begin(), weight.shape.end(), int64_t{1}, std::multiplies<>());
  }
  return sum;
}

ModelConfig model_config_from_json(const Json& json, std::string_view name) {
  const JsonSection config(json, name);
  ModelConfig out;
  out.model_class = read_class(config);
  read_sizes(config, out);
  out.head_dim = read_head_dim(config, out);
  read_rope(config, out);
  refuse_windows(config, out.layers);
  refuse_the_unusual(config);
  read_class_features(config, out);
  out.norm_epsilon = config.positive("rms_norm_eps").value_or(out.norm_epsilon);
  out.initializer_range = config.positive("initializer_range").value_or(out.initializer_range);
  out.type = read_type(config, out.type);
  return out;
}

ModelConfig read_model_config(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "config.json";
  if (!std::filesystem::exists(file)) {
    throw Error("{} has no config.json", folder.string())
        .with_remedy("give the folder of a model in Hugging Face's format");
  }
  return model_config_from_json(read_json_file(file), file.string());
}

torch::Tensor rotary_frequencies(const ModelConfig& config) {
  const int64_t count = config.head_dim / 2;
  torch::Tensor frequencies = torch::empty({count}, torch::kFloat64);
  auto values = frequencies.accessor<double, 1>();
  for (int64_t i = 0; i < count; ++i) {
    const double exponent = static_cast<double>(2 * i) / static_cast<double>(config.head_dim);
    values[i] = scaled_frequency(std::pow(config.rope_theta, -exponent), config.rope_scaling);
  }
  return frequencies;
}

std::vector<WeightShape> weight_shapes(const ModelConfig& config) {
  std::vector<WeightShape> shapes = {{"model.embed_tokens.weight", {config.vocab, config.hidden}}};
  for (int64_t i = 0; i < config.layers; ++i) {
    const std::string layer = fmt::format("model.layers.{}.", i);
    shapes.push_back({layer + "input_layernorm.weight", {config.hidden}});
    add_attention_shapes(config, layer, shapes);
    shapes.push_back({layer + "post_attention_layernorm.weight", {config.hidden}});
    add_mlp_shapes(config, layer, shapes);
  }
  shapes.push_back({"model.norm.weight", {config.hidden}});
  if (!config.tied_embeddings) shapes.push_back({"lm_head.weight", {config.vocab, config.hidden}});
  return shapes;
}

}  // namespace cuset
