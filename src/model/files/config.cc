#include "model/files/config.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>
#include <numeric>

#include "base/error.h"
#include "base/json/json_cursor.h"

namespace cuset::model {
namespace {

struct KnownClass {
  ModelClass model_class;
  std::string_view architecture;
  std::string_view model_type;
};

// Ministral is Mistral with a kind of attention for every layer.
constexpr std::array kClasses = {
    KnownClass{ModelClass::kQwen2, "Qwen2ForCausalLM", "qwen2"},
    KnownClass{ModelClass::kQwen3, "Qwen3ForCausalLM", "qwen3"},
    KnownClass{ModelClass::kLlama, "LlamaForCausalLM", "llama"},
    KnownClass{ModelClass::kMistral, "MistralForCausalLM", "mistral"},
    KnownClass{ModelClass::kMistral, "MinistralForCausalLM", "ministral"},
    KnownClass{ModelClass::kQwen3Moe, "Qwen3MoeForCausalLM", "qwen3_moe"},
};

// Far above every model there is, and small enough that no product of them overflows.
constexpr int64_t kMostWidth = int64_t{1} << 20;
constexpr int64_t kMostLayers = 10'000;
constexpr int64_t kMostHeads = 4096;
constexpr int64_t kMostHeadDim = 4096;
constexpr int64_t kMostVocab = int64_t{1} << 26;
constexpr int64_t kMostPositions = int64_t{1} << 31;
constexpr int64_t kMostExperts = 512;
constexpr int64_t kMostExpertWidth = int64_t{1} << 16;
constexpr int64_t kMostExpertsOfModel = 100'000;

// What transformers takes where a file does not say.
constexpr int64_t kQwen3HeadDim = 128;  // the others divide hidden_size
constexpr int64_t kUsualWindow = 4096;
constexpr int64_t kUsualWindowLayers = 28;

// `architectures` decides; `model_type` only where that is absent.
ModelClass read_class(const base::JsonCursor& config) {
  const std::vector<base::JsonCursor> architectures = config.get("architectures").elements_or_none();
  const bool by_type = architectures.empty();
  const base::JsonCursor field = by_type ? config.get("model_type") : architectures.front();
  if (by_type && field.is_absent()) {
    config.get("architectures").refuse("is missing", "is this the folder of a language model?");
  }
  std::vector<std::string_view> supported;
  for (const KnownClass& known : kClasses) {
    supported.push_back(by_type ? known.model_type : known.architecture);
    if (field.string() == supported.back()) return known.model_class;
  }
  field.refuse(fmt::format("is {}, which is not supported", base::in_quotes(field.string())),
               fmt::format("supported are {}", fmt::join(supported, ", ")));
}

torch::ScalarType read_type(const base::JsonCursor& config, torch::ScalarType otherwise) {
  const base::JsonCursor field = config.get(config.get("dtype").is_absent() ? "torch_dtype" : "dtype");
  if (field.is_absent()) return otherwise;
  const std::string& name = field.string();
  if (name == "bfloat16") return torch::kBFloat16;
  if (name == "float16") return torch::kFloat16;
  if (name == "float32") return torch::kFloat32;
  field.refuse(fmt::format("is {}; supported are bfloat16, float16 and float32", base::in_quotes(name)));
}

void read_sizes(const base::JsonCursor& config, ModelConfig& out) {
  out.hidden = config.at("hidden_size").integer(1, kMostWidth);
  out.layers = config.at("num_hidden_layers").integer(1, kMostLayers);
  out.heads = config.at("num_attention_heads").integer(1, kMostHeads);
  out.intermediate = config.at("intermediate_size").integer(1, kMostWidth);
  out.vocab = config.at("vocab_size").integer(1, kMostVocab);
  out.max_positions = config.at("max_position_embeddings").integer(1, kMostPositions);
  out.kv_heads = config.get("num_key_value_heads").integer_or(out.heads, 1, kMostHeads);
  if (out.heads % out.kv_heads != 0) {
    config.at("num_attention_heads")
        .refuse(fmt::format("is {}, not a multiple of num_key_value_heads, {}", out.heads, out.kv_heads));
  }
}

int64_t read_head_dim(const base::JsonCursor& config, const ModelConfig& sizes) {
  const base::JsonCursor field = config.get("head_dim");
  const bool is_divided = field.is_absent() && sizes.model_class != ModelClass::kQwen3;
  if (is_divided && sizes.hidden % sizes.heads != 0) {
    config.at("hidden_size")
        .refuse(fmt::format("is {}, not a multiple of num_attention_heads, {}, and there is no head_dim",
                            sizes.hidden, sizes.heads));
  }
  const int64_t usual = is_divided ? sizes.hidden / sizes.heads : kQwen3HeadDim;
  const int64_t value = field.integer_or(usual, 1, kMostHeadDim);
  if (value % 2 != 0 || value > kMostHeadDim) {
    field.refuse(fmt::format("is {}; rotary embeddings need an even number up to {}", value, kMostHeadDim));
  }
  return value;
}

// Refuses a number that is there and not `only`.
void expect_number(const base::JsonCursor& field, double only) {
  const double value = field.number_or(only);
  if (value != only) field.refuse(fmt::format("is {}; only {} is supported", value, only));
}

// 0 where there are no windows. Null means none, and a file without the key has the usual one: Mistral always,
// the Qwen classes where they say so.
int64_t read_window(const base::JsonCursor& config, ModelClass model_class) {
  const base::JsonCursor use = config.get("use_sliding_window");
  if (model_class == ModelClass::kLlama && use.boolean_or(false)) {
    use.refuse("is true; this class has no sliding windows", "set it to false to attend to whole sequences");
  }
  if (model_class != ModelClass::kMistral && !use.boolean_or(false)) return 0;
  const base::JsonCursor window = config.get("sliding_window");
  if (config.value().contains("sliding_window") && window.is_absent()) return 0;
  return window.integer_or(kUsualWindow, 1, kMostPositions);
}

bool read_is_sliding(const base::JsonCursor& type, int64_t window) {
  const std::string& name = type.string();
  if (name == "full_attention") return false;
  if (name != "sliding_attention") type.refuse_type("\"full_attention\" or \"sliding_attention\"");
  if (window == 0) {
    type.refuse("is \"sliding_attention\", but no sliding window is in use",
                "set sliding_window, and for Qwen use_sliding_window, or make it \"full_attention\"");
  }
  return true;
}

// Which layers have the window: layer_types says it for each; else all of Mistral and Qwen3-MoE, and of the other
// Qwen classes those from max_window_layers on. Qwen3-MoE has no layer_types in transformers: there it must agree.
void read_windows(const base::JsonCursor& config, ModelConfig& out) {
  const int64_t window = read_window(config, out.model_class);
  const base::JsonCursor types = config.get("layer_types");
  const auto layers = static_cast<size_t>(out.layers);
  std::vector<int64_t> windows;
  if (types.is_absent()) {
    const bool is_all = out.model_class == ModelClass::kMistral || out.model_class == ModelClass::kQwen3Moe;
    const int64_t whole =
        is_all ? 0 : config.get("max_window_layers").integer_or(kUsualWindowLayers, 0, kMostPositions);
    for (int64_t layer = 0; layer < out.layers; ++layer) windows.push_back(layer >= whole ? window : 0);
  } else {
    if (types.elements().size() != layers) {
      types.refuse(fmt::format("must be a list of {} strings, one for each layer", layers));
    }
    for (const base::JsonCursor& type : types.elements()) {
      windows.push_back(read_is_sliding(type, window) ? window : 0);
      if (out.model_class == ModelClass::kQwen3Moe && windows.back() != window) {
        type.refuse("is \"full_attention\", but this class has its sliding window in every layer");
      }
    }
  }
  const bool has_any = std::any_of(windows.begin(), windows.end(), [](int64_t size) { return size > 0; });
  if (has_any) out.windows = std::move(windows);
}

void refuse_the_unusual(const base::JsonCursor& config) {
  const base::JsonCursor activation = config.get("hidden_act");
  if (activation.string_or("silu") != "silu") activation.refuse_type("\"silu\"");
  const base::JsonCursor quantization = config.get("quantization_config");
  if (!quantization.is_absent()) {
    quantization.refuse("is set: quantized weights are not supported", "take the model in bfloat16");
  }
  expect_number(config.get("attention_dropout"), 0);
  expect_number(config.get("partial_rotary_factor"), 1);
  expect_number(config.get("pretraining_tp"), 1);
}

void read_expert_sizes(const base::JsonCursor& config, ModelConfig& out) {
  const base::JsonCursor count =
      config.at(config.get("num_experts").is_absent() ? "num_local_experts" : "num_experts");
  out.experts = count.integer(1, kMostExperts);
  if (out.experts * out.layers > kMostExpertsOfModel) {
    count.refuse(fmt::format("is {}; with {} layers that is more than {} experts", out.experts, out.layers,
                             kMostExpertsOfModel));
  }
  out.expert_intermediate = config.at("moe_intermediate_size").integer(1, kMostExpertWidth);
  out.experts_per_token = config.at("num_experts_per_tok").integer(1, kMostExperts);
  if (out.experts_per_token > out.experts) {
    config.at("num_experts_per_tok")
        .refuse(fmt::format("is {}, but there are {} experts", out.experts_per_token, out.experts));
  }
  out.normalized_experts = config.get("norm_topk_prob").boolean_or(false);
}

// Every decoder_sparse_step-th layer is sparse, unless mlp_only_layers names it.
void read_experts(const base::JsonCursor& config, ModelConfig& out) {
  if (out.model_class != ModelClass::kQwen3Moe) return;
  expect_number(config.get("shared_expert_intermediate_size"), 0);
  const base::JsonCursor balance = config.get("output_router_logits");
  if (balance.boolean_or(false)) {
    balance.refuse("is true; the loss that balances the router is not supported", "set it to false");
  }
  read_expert_sizes(config, out);
  const int64_t step = config.get("decoder_sparse_step").integer_or(1, 1, kMostLayers);
  for (int64_t layer = 0; layer < out.layers; ++layer) out.sparse_layers.push_back((layer + 1) % step == 0);
  for (const base::JsonCursor& dense : config.get("mlp_only_layers").elements_or_none()) {
    out.sparse_layers[static_cast<size_t>(dense.integer(0, out.layers - 1))] = false;
  }
}

void read_class_features(const base::JsonCursor& config, ModelConfig& out) {
  const auto flag = [&](std::string_view key) { return config.get(key).boolean_or(false); };
  const bool attention_bias = out.model_class != ModelClass::kMistral && flag("attention_bias");
  const bool is_qwen2 = out.model_class == ModelClass::kQwen2;
  out.qkv_bias = is_qwen2 || attention_bias;
  out.output_bias = !is_qwen2 && attention_bias;
  out.mlp_bias = out.model_class == ModelClass::kLlama && flag("mlp_bias");
  out.qk_norm = out.model_class == ModelClass::kQwen3 || out.model_class == ModelClass::kQwen3Moe;
  out.tied_embeddings = flag("tie_word_embeddings");
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

void add_expert_shapes(const ModelConfig& config, const std::string& layer,
                       std::vector<WeightShape>& shapes) {
  const int64_t hidden = config.hidden, width = config.expert_intermediate;
  shapes.push_back({layer + "mlp.gate.weight", {config.experts, hidden}});
  for (int64_t i = 0; i < config.experts; ++i) {
    const std::string expert = fmt::format("{}mlp.experts.{}.", layer, i);
    shapes.push_back({expert + "gate_proj.weight", {width, hidden}});
    shapes.push_back({expert + "up_proj.weight", {width, hidden}});
    shapes.push_back({expert + "down_proj.weight", {hidden, width}});
  }
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

int64_t ModelConfig::active_parameters() const {
  const int64_t of_expert = 3 * hidden * expert_intermediate;
  const auto sparse = std::count(sparse_layers.begin(), sparse_layers.end(), true);
  return parameters() - sparse * (experts - experts_per_token) * of_expert;
}

ModelConfig model_config_from_json(const base::Json& json, std::string_view name) {
  const base::JsonCursor config(json, name);
  config.expect_object();
  const auto positive_or = [&](std::string_view key, double usual) {
    const base::JsonCursor field = config.get(key);
    return field.is_absent() ? usual : field.positive_number();
  };
  ModelConfig out;
  out.model_class = read_class(config);
  read_sizes(config, out);
  out.head_dim = read_head_dim(config, out);
  const Rope rope = read_rope(config, out.max_positions);
  out.rope_theta = rope.theta;
  out.rope_scaling = rope.scaling;
  read_windows(config, out);
  refuse_the_unusual(config);
  read_class_features(config, out);
  read_experts(config, out);
  out.norm_epsilon = positive_or("rms_norm_eps", out.norm_epsilon);
  out.initializer_range = positive_or("initializer_range", out.initializer_range);
  out.type = read_type(config, out.type);
  return out;
}

ModelConfig read_model_config(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / "config.json";
  if (!std::filesystem::exists(file)) {
    throw base::Error("{} has no config.json", folder.string())
        .with_remedy("give the folder of a model in Hugging Face's format");
  }
  return model_config_from_json(base::read_json_file(file), file.string());
}

torch::Tensor rotary_frequencies(const ModelConfig& config) {
  return torch::tensor(scaled_frequencies({config.rope_theta, config.rope_scaling}, config.head_dim),
                       torch::kFloat64);
}

std::vector<WeightShape> weight_shapes(const ModelConfig& config) {
  std::vector<WeightShape> shapes = {{"model.embed_tokens.weight", {config.vocab, config.hidden}}};
  for (int64_t i = 0; i < config.layers; ++i) {
    const std::string layer = fmt::format("model.layers.{}.", i);
    shapes.push_back({layer + "input_layernorm.weight", {config.hidden}});
    add_attention_shapes(config, layer, shapes);
    shapes.push_back({layer + "post_attention_layernorm.weight", {config.hidden}});
    (config.has_experts(i) ? add_expert_shapes : add_mlp_shapes)(config, layer, shapes);
  }
  shapes.push_back({"model.norm.weight", {config.hidden}});
  if (!config.tied_embeddings) shapes.push_back({"lm_head.weight", {config.vocab, config.hidden}});
  return shapes;
}

}  // namespace cuset::model
