#include "model/inference/inference_weights.h"

#include <string>
#include <unordered_map>
#include <utility>

#include "base/error.h"

namespace cuset::model {
namespace {

using TensorsByName = std::unordered_map<std::string, torch::Tensor>;

// Moves a weight out; undefined where the model has none of that name.
torch::Tensor take(TensorsByName& weights, const std::string& name) {
  const auto found = weights.find(name);
  if (found == weights.end()) return {};
  torch::Tensor tensor = std::move(found->second);
  weights.erase(found);
  return tensor;
}

// One layer over the same input after another, in this order.
InferenceLinear join(TensorsByName& weights, const std::string& prefix,
                     const std::vector<const char*>& modules) {
  std::vector<torch::Tensor> matrices;
  std::vector<torch::Tensor> biases;
  for (const char* module : modules) {
    matrices.push_back(take(weights, prefix + module + ".weight"));
    const torch::Tensor bias = take(weights, prefix + module + ".bias");
    if (bias.defined()) biases.push_back(bias);
  }
  CUSET_CHECK(biases.empty() || biases.size() == modules.size(), "{}{} has half its biases", prefix,
              modules[0]);
  const auto joined = [](const std::vector<torch::Tensor>& tensors) {
    return tensors.size() == 1 ? tensors[0].contiguous() : torch::cat(tensors);
  };
  return {joined(matrices), biases.empty() ? torch::Tensor() : joined(biases)};
}

void join_experts(TensorsByName& weights, const std::string& prefix, int64_t count, InferenceLayer& joined) {
  joined.router = take(weights, prefix + "gate.weight").contiguous();
  for (int64_t i = 0; i < count; ++i) {
    const std::string expert = fmt::format("{}experts.{}.", prefix, i);
    joined.experts.push_back({join(weights, expert, {"gate_proj", "up_proj"}).weight,
                              join(weights, expert, {"down_proj"}).weight});
  }
}

InferenceLayer join_layer(const ModelConfig& config, TensorsByName& weights, int64_t layer) {
  const std::string prefix = fmt::format("model.layers.{}.", layer);
  InferenceLayer joined;
  joined.input_norm = take(weights, prefix + "input_layernorm.weight");
  joined.qkv = join(weights, prefix, {"self_attn.q_proj", "self_attn.k_proj", "self_attn.v_proj"});
  joined.q_norm = take(weights, prefix + "self_attn.q_norm.weight");
  joined.k_norm = take(weights, prefix + "self_attn.k_norm.weight");
  joined.output = join(weights, prefix, {"self_attn.o_proj"});
  joined.post_attention_norm = take(weights, prefix + "post_attention_layernorm.weight");
  if (config.has_experts(layer)) {
    join_experts(weights, prefix + "mlp.", config.experts, joined);
    return joined;
  }
  joined.gate_up = join(weights, prefix, {"mlp.gate_proj", "mlp.up_proj"});
  joined.down = join(weights, prefix, {"mlp.down_proj"});
  return joined;
}

void check_weights(const ModelConfig& config, const TensorsByName& weights) {
  const auto any = weights.begin()->second.options();
  for (const WeightShape& wanted : weight_shapes(config)) {
    const auto found = weights.find(wanted.name);
    CUSET_CHECK(found != weights.end() && found->second.sizes() == torch::IntArrayRef(wanted.shape),
                "{} is missing or has the wrong shape", wanted.name);
    CUSET_CHECK(found->second.dtype() == any.dtype() && found->second.device() == any.device(),
                "{} differs from the other weights in type or device", wanted.name);
  }
}

// A module and where its columns begin in the joined layer.
struct JoinedModule {
  const char* name;
  int64_t first;
  std::vector<LowRankPart> InferenceAdapterLayer::* parts;
};

std::vector<JoinedModule> joined_modules(const ModelConfig& config) {
  const int64_t q = config.heads * config.head_dim, kv = config.kv_heads * config.head_dim;
  return {{"self_attn.q_proj", 0, &InferenceAdapterLayer::qkv},
          {"self_attn.k_proj", q, &InferenceAdapterLayer::qkv},
          {"self_attn.v_proj", q + kv, &InferenceAdapterLayer::qkv},
          {"self_attn.o_proj", 0, &InferenceAdapterLayer::output},
          {"mlp.gate_proj", 0, &InferenceAdapterLayer::gate_up},
          {"mlp.up_proj", config.intermediate, &InferenceAdapterLayer::gate_up},
          {"mlp.down_proj", 0, &InferenceAdapterLayer::down}};
}

}  // namespace

InferenceWeights join_weights(const ModelConfig& config, std::vector<NamedTensor> weights) {
  CUSET_CHECK(!weights.empty(), "a decoder without weights");
  const torch::NoGradGuard no_gradient;
  TensorsByName by_name;
  for (NamedTensor& weight : weights) by_name[weight.name] = std::move(weight.tensor);
  weights.clear();
  check_weights(config, by_name);
  InferenceWeights joined;
  joined.embedding = take(by_name, "model.embed_tokens.weight").contiguous();
  joined.final_norm = take(by_name, "model.norm.weight");
  joined.head = config.tied_embeddings ? joined.embedding : take(by_name, "lm_head.weight").contiguous();
  for (int64_t layer = 0; layer < config.layers; ++layer)
    joined.layers.push_back(join_layer(config, by_name, layer));
  return joined;
}

InferenceAdapter join_adapter(const ModelConfig& config, const Adapter& adapter,
                              const torch::TensorOptions& options) {
  TensorsByName tensors;
  for (const NamedTensor& tensor : adapter.tensors) tensors[tensor.name] = tensor.tensor;
  InferenceAdapter joined{.scale = adapter.settings.scale(),
                          .layers = std::vector<InferenceAdapterLayer>(static_cast<size_t>(config.layers))};
  for (size_t layer = 0; layer < joined.layers.size(); ++layer) {
    for (const JoinedModule& module : joined_modules(config)) {
      const std::string name = fmt::format("model.layers.{}.{}", layer, module.name);
      const torch::Tensor a = take(tensors, lora_a_name(name)), b = take(tensors, lora_b_name(name));
      if (!a.defined() && !b.defined()) continue;
      if (!a.defined() || !b.defined())
        throw base::Error("the adapter has half a pair of matrices for {}", name);
      (joined.layers[layer].*module.parts)
          .push_back({module.first, a.to(options).contiguous(), b.to(options).contiguous()});
    }
  }
  if (!tensors.empty()) {
    throw base::Error("the adapter's {} belongs to no layer of the model", tensors.begin()->first)
        .with_remedy("give the base model that the adapter was trained on");
  }
  return joined;
}

}  // namespace cuset::model
