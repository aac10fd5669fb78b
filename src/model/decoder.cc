#include "model/decoder.h"

#include <torch/autograd.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "base/error.h"
#include "model/decoder_layer.h"
#include "ops/rms_norm.h"
#include "ops/rotary.h"
#include "ops/wide_type.h"

namespace cuset::model {
namespace {

constexpr const char* kEmbedding = "model.embed_tokens.weight";
constexpr const char* kFinalNorm = "model.norm.weight";
constexpr const char* kHead = "lm_head.weight";

// CUDA's index_add_ adds with atomics, in any order; its accumulating index_put_ sorts. On the CPU it is the
// other way round.
void add_rows(const torch::Tensor& table, const torch::Tensor& ids, const torch::Tensor& rows) {
  if (table.is_cuda()) {
    table.index_put_({ids}, rows, /*accumulate=*/true);
  } else {
    table.index_add_(0, ids, rows);
  }
}

class TrainedLookup : public torch::autograd::Function<TrainedLookup> {
 public:
  // `anchor` is empty and asks for a gradient: autograd only records operations that have such an input.
  static torch::Tensor forward(torch::autograd::AutogradContext* context, const torch::Tensor& /*anchor*/,
                               const torch::Tensor& ids, const ops::Parameter& table) {
    // Not save_for_backward: the gradient buffer changes between forward and backward, as it should.
    context->saved_data["ids"] = ids;
    context->saved_data["gradient"] = table.gradient;
    return table.value.index_select(0, ids);
  }

  static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                 torch::autograd::variable_list gradients) {
    const auto table = context->saved_data["gradient"].toTensor();
    add_rows(table, context->saved_data["ids"].toTensor(), gradients[0].to(table.scalar_type()));
    return {torch::Tensor(), torch::Tensor(), torch::Tensor()};
  }
};

// table[ids], [tokens, width], for ids [tokens] and a table [vocab, width]. The gradient of a trained table
// goes to its Parameter (ops/parameter.h), in the same order every time, so that a table shared with the
// head collects both parts.
torch::Tensor embed(const torch::Tensor& ids, const ops::Parameter& table) {
  if (!table.is_trained() || !torch::GradMode::is_enabled()) return table.value.index_select(0, ids);
  const auto anchor = torch::empty({0}, table.value.options()).requires_grad_();
  return TrainedLookup::apply(anchor, ids, table);
}

// Without the ".weight" at its end, the name of the module that a linear layer's weight belongs to.
std::string module_of(std::string_view weight_name) {
  constexpr std::string_view ending = ".weight";
  if (!weight_name.ends_with(ending)) return {};
  return std::string(weight_name.substr(0, weight_name.size() - ending.size()));
}

// "q_proj", ... of the targets, each once, in the order of the computation.
std::vector<std::string> short_names(const std::vector<LoraTarget>& targets) {
  std::vector<std::string> names;
  for (const LoraTarget& target : targets) {
    std::string name = target.module.substr(target.module.rfind('.') + 1);
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
  }
  return names;
}

}  // namespace

struct Decoder::Parts {
  ModelConfig config;
  torch::ScalarType type = torch::kFloat32;
  torch::Device device = torch::kCPU;
  torch::Tensor frequencies;       // [head_dim / 2] float64, on the device
  std::vector<std::string> names;  // of all base weights, in the order of the computation
  std::unordered_map<std::string, ops::Parameter> base;  // by name
  TrainedParameters trained;
  std::optional<LoraSettings> lora;
  std::unordered_set<std::string> adapted;  // modules with an adapter
  std::vector<LayerWeights> layers;
  std::vector<LayerWeights> layers_without_adapter;  // empty while there is none
  ops::Parameter embedding;
  ops::Parameter final_norm;
  ops::Parameter head;

  bool trains_all() const { return trained.size() > 0 && !lora; }
  void check_choice_is_open() const;
  void rebuild_layers();
  std::vector<LayerWeights> make_layers(bool with_adapter) const;
  LayerWeights make_layer(int64_t layer, bool with_adapter) const;
  void add_experts(const std::string& prefix, LayerWeights& weights) const;
  ops::LinearWeights make_linear(const std::string& module, uint32_t number, bool with_adapter) const;
  ops::Parameter find(const std::string& name) const;
  torch::Tensor merged(const std::string& name) const;
};

void Decoder::Parts::check_choice_is_open() const {
  CUSET_CHECK(trained.size() == 0, "what is trained has been chosen already");
}

// Undefined where the model has no such weight.
ops::Parameter Decoder::Parts::find(const std::string& name) const {
  const auto found = base.find(name);
  return found == base.end() ? ops::Parameter{} : found->second;
}

ops::LinearWeights Decoder::Parts::make_linear(const std::string& module, uint32_t number,
                                               bool with_adapter) const {
  ops::LinearWeights linear;
  linear.weight = base.at(module + ".weight");
  linear.bias = find(module + ".bias");
  linear.module = number;
  if (with_adapter && adapted.contains(module)) {
    linear.lora_a = trained.parameter(lora_a_name(module));
    linear.lora_b = trained.parameter(lora_b_name(module));
    linear.lora_scale = lora->scale();
  }
  return linear;
}

// Neither router nor experts have adapters, so they need no number of their own.
void Decoder::Parts::add_experts(const std::string& prefix, LayerWeights& weights) const {
  const auto linear = [&](const std::string& module) {
    return make_linear(prefix + module, /*number=*/0, /*with_adapter=*/false);
  };
  weights.router = linear("gate");
  for (int64_t i = 0; i < config.experts; ++i) {
    const std::string expert = fmt::format("experts.{}.", i);
    weights.experts.push_back({.gate = linear(expert + "gate_proj"),
                               .up = linear(expert + "up_proj"),
                               .down = linear(expert + "down_proj")});
  }
}

LayerWeights Decoder::Parts::make_layer(int64_t layer, bool with_adapter) const {
  const std::string prefix = fmt::format("model.layers.{}.", layer);
  uint32_t number = static_cast<uint32_t>(layer) * kLinearsPerLayer;
  const auto linear = [&](const char* module) {
    return make_linear(prefix + module, number++, with_adapter);
  };
  LayerWeights weights;
  weights.window = config.window_of(layer);
  weights.input_norm = base.at(prefix + "input_layernorm.weight");
  weights.q = linear("self_attn.q_proj");
  weights.k = linear("self_attn.k_proj");
  weights.v = linear("self_attn.v_proj");
  weights.o = linear("self_attn.o_proj");
  weights.q_norm = find(prefix + "self_attn.q_norm.weight");
  weights.k_norm = find(prefix + "self_attn.k_norm.weight");
  weights.post_attention_norm = base.at(prefix + "post_attention_layernorm.weight");
  if (config.has_experts(layer)) {
    add_experts(prefix + "mlp.", weights);
    return weights;
  }
  weights.gate = linear("mlp.gate_proj");
  weights.up = linear("mlp.up_proj");
  weights.down = linear("mlp.down_proj");
  return weights;
}

std::vector<LayerWeights> Decoder::Parts::make_layers(bool with_adapter) const {
  std::vector<LayerWeights> made;
  for (int64_t layer = 0; layer < config.layers; ++layer) made.push_back(make_layer(layer, with_adapter));
  return made;
}

void Decoder::Parts::rebuild_layers() {
  layers = make_layers(/*with_adapter=*/true);
  if (lora) layers_without_adapter = make_layers(/*with_adapter=*/false);
  embedding = base.at(kEmbedding);
  final_norm = base.at(kFinalNorm);
  head = config.tied_embeddings ? embedding : base.at(kHead);
}

Decoder::Decoder(const ModelConfig& config, std::vector<NamedTensor> weights)
    : parts_(std::make_unique<Parts>()) {
  CUSET_CHECK(!weights.empty(), "a decoder without weights");
  parts_->config = config;
  parts_->type = weights[0].tensor.scalar_type();
  parts_->device = weights[0].tensor.device();
  parts_->frequencies = rotary_frequencies(parts_->config).to(parts_->device);
  for (NamedTensor& weight : weights) {
    CUSET_CHECK(weight.tensor.scalar_type() == parts_->type && weight.tensor.device() == parts_->device,
                "{} differs from the other weights in type or device", weight.name);
    parts_->names.push_back(weight.name);
    parts_->base[weight.name].value = std::move(weight.tensor);
  }
  for (const WeightShape& wanted : weight_shapes(parts_->config)) {
    const ops::Parameter found = parts_->find(wanted.name);
    CUSET_CHECK(found.is_defined() && found.value.sizes() == torch::IntArrayRef(wanted.shape),
                "{} is missing or has the wrong shape", wanted.name);
  }
  parts_->rebuild_layers();
}

Decoder::Decoder(Decoder&&) noexcept = default;
Decoder& Decoder::operator=(Decoder&&) noexcept = default;
Decoder::~Decoder() = default;

const ModelConfig& Decoder::config() const { return parts_->config; }
torch::ScalarType Decoder::type() const { return parts_->type; }
torch::Device Decoder::device() const { return parts_->device; }
TrainedParameters& Decoder::trained() { return parts_->trained; }
const LoraSettings* Decoder::lora() const { return parts_->lora ? &*parts_->lora : nullptr; }
const ops::Parameter& Decoder::head() const { return parts_->head; }

void Decoder::add_adapter(const LoraSettings& settings, const base::RandomStream& stream) {
  Parts& parts = *parts_;
  parts.check_choice_is_open();
  const std::vector<LoraTarget> targets = lora_targets(parts.config, settings);
  parts.trained = TrainedParameters(lora_weights(targets, settings.rank), parts.type, parts.device);
  initialize_lora(parts.trained, targets, stream);
  parts.lora = settings;
  for (const LoraTarget& target : targets) parts.adapted.insert(target.module);
  parts.rebuild_layers();
}

void Decoder::load_adapter(const Adapter& adapter) {
  Parts& parts = *parts_;
  CUSET_CHECK(parts.lora.has_value(), "an adapter is loaded into a model without one");
  const LoraSettings& own = *parts.lora;
  const LoraSettings& given = adapter.settings;
  if (given.rank != own.rank || given.scale() != own.scale()) {
    throw base::Error("the adapter has rank {} and scale {}, the run wants rank {} and scale {}", given.rank,
                      given.scale(), own.rank, own.scale())
        .with_remedy("take over the adapter's r, lora_alpha and use_rslora");
  }
  std::unordered_map<std::string, torch::Tensor> tensors;
  for (const NamedTensor& tensor : adapter.tensors) tensors[tensor.name] = tensor.tensor;
  const auto& wanted = parts.trained.weights();
  for (const TrainedWeight& weight : wanted) {
    if (!tensors.contains(weight.name)) {
      throw base::Error("the adapter has no {}", weight.name).with_remedy("take over its target_modules");
    }
  }
  if (tensors.size() != wanted.size()) {
    throw base::Error("the adapter has {} matrices, the run wants {}", tensors.size(), wanted.size())
        .with_remedy("take over its target_modules");
  }
  const torch::NoGradGuard no_gradient;
  for (const TrainedWeight& weight : wanted) {
    parts.trained.master_of(weight.name).copy_(tensors.at(weight.name));
  }
  parts.trained.refresh_compute();
}

void Decoder::train_all() {
  Parts& parts = *parts_;
  parts.check_choice_is_open();
  std::vector<TrainedWeight> weights;
  for (const std::string& name : parts.names) {
    const auto shape = parts.base.at(name).value.sizes().vec();
    weights.push_back({.name = name, .shape = shape, .decays = shape.size() > 1});
  }
  parts.trained = TrainedParameters(std::move(weights), parts.type, parts.device);
  // The frozen values go as soon as they are copied, one at a time.
  parts.layers.clear();
  parts.embedding = parts.final_norm = parts.head = ops::Parameter{};
  const torch::NoGradGuard no_gradient;
  for (const std::string& name : parts.names) {
    ops::Parameter& parameter = parts.base.at(name);
    parts.trained.master_of(name).copy_(parameter.value);
    parameter = parts.trained.parameter(name);
  }
  parts.trained.refresh_compute();
  parts.rebuild_layers();
}

torch::Tensor Decoder::hidden(const TokenBatch& batch, const ForwardOptions& options) {
  const Parts& parts = *parts_;
  const bool without_adapter = parts.lora && !options.adapter;
  const bool trains = torch::GradMode::is_enabled() && parts.trained.size() > 0 && !without_adapter;
  const auto& layers = without_adapter ? parts.layers_without_adapter : parts.layers;
  CUSET_CHECK(options.dropout == 0 || batch.dropout_keys.defined(), "dropout needs the keys of the tokens");

  auto context = std::make_shared<LayerContext>(LayerContext{
      .config = parts.config,
      .angles =
          ops::rotary_angles(parts.frequencies, batch.positions, parts.config.rope_scaling.attention_factor),
      .segments = batch.segments,
      .dropout = {
          .probability = options.dropout, .seed = options.dropout_seed, .row_keys = batch.dropout_keys}});
  CUSET_CHECK(
      options.states == nullptr || (trains && parts.lora && options.states->size() == layers.size() + 1),
      "states are taken by the layers of an adapter that is trained");
  const auto state = [&](size_t layer) {
    return options.states == nullptr ? torch::Tensor() : (*options.states)[layer];
  };
  auto x = options.states == nullptr ? embed(batch.ids, parts.embedding) : state(0).detach();
  if (trains) x.requires_grad_();  // above a frozen embedding: so that backward reaches the layers
  for (size_t i = 0; i < layers.size(); ++i) {
    const bool runs_again = trains && (options.recompute || options.states != nullptr);
    x = runs_again ? layer_recomputed(x, layers[i], context, state(i + 1))
                   : layer_forward(x, layers[i], *context);
  }
  return ops::rms_norm(x, parts.final_norm, parts.config.norm_epsilon);
}

Adapter Decoder::adapter(const std::string& base_model) const {
  const Parts& parts = *parts_;
  CUSET_CHECK(parts.lora.has_value(), "the model has no adapter");
  Adapter made{.settings = *parts.lora, .base_model = base_model, .tensors = {}};
  made.settings.targets = short_names(lora_targets(parts.config, *parts.lora));
  for (const TrainedWeight& weight : parts.trained.weights()) {
    made.tensors.push_back(
        {weight.name,
         torch::empty(weight.shape, torch::kFloat32).copy_(parts.trained.master_of(weight.name))});
  }
  return made;
}

// The weight as a model without adapter would hold it.
torch::Tensor Decoder::Parts::merged(const std::string& name) const {
  if (trains_all()) return trained.master_of(name).to(type);
  const auto& weight = base.at(name).value;
  const std::string module = module_of(name);
  if (!adapted.contains(module)) return weight;
  const auto wide = ops::wide_type(type);
  const auto a = trained.master_of(lora_a_name(module)).to(wide);
  const auto b = trained.master_of(lora_b_name(module)).to(wide);
  return torch::add(weight.to(wide), b.matmul(a), lora->scale()).to(type);
}

std::vector<NamedTensor> Decoder::merged_weights() const {
  const torch::NoGradGuard no_gradient;
  std::vector<NamedTensor> weights;
  for (const std::string& name : parts_->names) weights.push_back({name, parts_->merged(name)});
  return weights;
}

TokenBatch make_token_batch(const std::vector<std::vector<int64_t>>& samples, torch::Device device) {
  std::vector<int64_t> ids;
  std::vector<int64_t> positions;
  std::vector<int64_t> lengths;
  for (const auto& sample : samples) {
    ids.insert(ids.end(), sample.begin(), sample.end());
    for (size_t i = 0; i < sample.size(); ++i) positions.push_back(static_cast<int64_t>(i));
    lengths.push_back(static_cast<int64_t>(sample.size()));
  }
  return {.ids = torch::tensor(ids, torch::kInt64).to(device),
          .positions = torch::tensor(positions, torch::kInt64).to(device),
          .segments = ops::make_segments(lengths, device),
          .dropout_keys = {}};
}

}  // namespace cuset::model
