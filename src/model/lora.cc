#include "model/lora.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::model {
namespace {

constexpr std::array<std::string_view, 7> kTargets = {"q_proj",    "k_proj",  "v_proj",   "o_proj",
                                                      "gate_proj", "up_proj", "down_proj"};

constexpr std::array<std::string_view, 4> kAttentionTargets = {"q_proj", "k_proj", "v_proj", "o_proj"};

void check_settings(const ModelConfig& config, const LoraSettings& settings) {
  if (settings.rank < 1) {
    throw base::UsageError("the LoRA rank is {}", settings.rank).with_remedy("give a rank of 1 or more");
  }
  for (const std::string& target : settings.targets) {
    if (std::find(kTargets.begin(), kTargets.end(), target) == kTargets.end()) {
      throw base::UsageError("unknown LoRA target {}{}", base::in_quotes(target),
                             base::did_you_mean(target, kTargets))
          .with_remedy("targets are {}", fmt::join(kTargets, ", "));
    }
    const bool is_attention =
        std::find(kAttentionTargets.begin(), kAttentionTargets.end(), target) != kAttentionTargets.end();
    if (config.experts > 0 && !is_attention) {
      throw base::UsageError("LoRA target {}: experts take no adapter in {}", base::in_quotes(target),
                             name_of(config.model_class))
          .with_remedy("give all, which means {} here, or some of them", fmt::join(kAttentionTargets, ", "));
    }
  }
}

// In a model with experts, attention alone: PEFT takes the names of a feed-forward layer for those of experts, and
// would not find adapters of the dense layers between them.
std::vector<LoraTarget> linear_layers(const ModelConfig& config, int64_t layer) {
  const std::string attention = fmt::format("model.layers.{}.self_attn.", layer);
  const std::string mlp = fmt::format("model.layers.{}.mlp.", layer);
  const int64_t queries = config.heads * config.head_dim;
  const int64_t keys = config.kv_heads * config.head_dim;
  std::vector<LoraTarget> layers = {{attention + "q_proj", config.hidden, queries},
                                    {attention + "k_proj", config.hidden, keys},
                                    {attention + "v_proj", config.hidden, keys},
                                    {attention + "o_proj", queries, config.hidden}};
  if (config.experts > 0) return layers;
  layers.push_back({mlp + "gate_proj", config.hidden, config.intermediate});
  layers.push_back({mlp + "up_proj", config.hidden, config.intermediate});
  layers.push_back({mlp + "down_proj", config.intermediate, config.hidden});
  return layers;
}

bool is_chosen(const LoraTarget& layer, const LoraSettings& settings) {
  const std::string_view name = std::string_view(layer.module).substr(layer.module.rfind('.') + 1);
  return settings.targets.empty() ||
         std::find(settings.targets.begin(), settings.targets.end(), name) != settings.targets.end();
}

// [rows, columns] float32, uniform in (-bound, bound): the middles of 2^24 equal steps.
torch::Tensor uniform_matrix(const std::vector<int64_t>& shape, double bound, base::RandomStream stream) {
  torch::Tensor matrix = torch::empty(shape, torch::kFloat32);
  const std::span<float> values(matrix.data_ptr<float>(), static_cast<size_t>(matrix.numel()));
  std::vector<uint32_t> words(values.size());
  stream.fill(words);
  for (size_t i = 0; i < values.size(); ++i) {
    const double place = (static_cast<double>(words[i] >> 8) + 0.5) * 0x1p-23 - 1;
    values[i] = static_cast<float>(bound * place);
  }
  return matrix;
}

}  // namespace

std::vector<LoraTarget> lora_targets(const ModelConfig& config, const LoraSettings& settings) {
  check_settings(config, settings);
  std::vector<LoraTarget> chosen;
  for (int64_t layer = 0; layer < config.layers; ++layer) {
    for (LoraTarget& target : linear_layers(config, layer)) {
      if (is_chosen(target, settings)) chosen.push_back(std::move(target));
    }
  }
  return chosen;
}

std::string lora_a_name(const std::string& module) { return "base_model.model." + module + ".lora_A.weight"; }

std::string lora_b_name(const std::string& module) { return "base_model.model." + module + ".lora_B.weight"; }

std::vector<TrainedWeight> lora_weights(const std::vector<LoraTarget>& targets, int64_t rank) {
  std::vector<TrainedWeight> weights;
  for (const LoraTarget& target : targets) {
    weights.push_back({.name = lora_a_name(target.module), .shape = {rank, target.in}});
    weights.push_back({.name = lora_b_name(target.module), .shape = {target.out, rank}});
  }
  return weights;
}

void initialize_lora(TrainedParameters& parameters, const std::vector<LoraTarget>& targets,
                     const base::RandomStream& stream) {
  const torch::NoGradGuard no_gradient;
  for (const LoraTarget& target : targets) {
    torch::Tensor a = parameters.master_of(lora_a_name(target.module));
    const double bound = 1 / std::sqrt(static_cast<double>(target.in));
    a.copy_(uniform_matrix(a.sizes().vec(), bound, stream.child(target.module)));
    parameters.master_of(lora_b_name(target.module)).zero_();
  }
  parameters.refresh_compute();
}

}  // namespace cuset::model
