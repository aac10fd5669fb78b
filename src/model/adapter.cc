#include "model/adapter.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/error.h"
#include "base/files/file.h"
#include "base/files/make_folder.h"
#include "base/json/json_cursor.h"
#include "base/last_part.h"
#include "base/log.h"

namespace cuset::model {
namespace {

namespace fs = std::filesystem;

constexpr const char* kConfigFile = "adapter_config.json";
constexpr const char* kWeightsFile = "adapter_model.safetensors";
constexpr int64_t kMostRank = 1 << 16;
constexpr double kLeastAlpha = 1e-9;
constexpr double kMostAlpha = 1e9;

// Keys that do not change what a loaded adapter computes, or that are read below. Of every other key only an
// empty value (null, false, [], {}) is accepted: DoRA, patterns, replicated layers, and whatever PEFT adds.
const std::set<std::string_view> kHarmlessKeys = {"auto_mapping",
                                                  "base_model_name_or_path",
                                                  "bias",
                                                  "corda_config",
                                                  "eva_config",
                                                  "exclude_modules",
                                                  "inference_mode",
                                                  "init_lora_weights",
                                                  "layers_pattern",
                                                  "loftq_config",
                                                  "lora_alpha",
                                                  "lora_dropout",
                                                  "lora_ga_config",
                                                  "megatron_core",
                                                  "peft_type",
                                                  "peft_version",
                                                  "qalora_group_size",
                                                  "r",
                                                  "revision",
                                                  "runtime_config",
                                                  "target_modules",
                                                  "task_type",
                                                  "use_rslora",
                                                  "ensure_weight_tying"};

// Ways to begin that change the base model's weights too, so that the adapter alone says too little.
constexpr const char* kBeginningsThatChangeTheBase[] = {"pissa", "olora", "corda", "loftq", "lora_ga"};

bool is_empty(const base::Json& value) {
  return value.is_null() || value == false || (value.is_structured() && value.empty());
}

void refuse_unsupported(const base::JsonCursor& config) {
  if (config.get("peft_type").string() != "LORA") config.get("peft_type").refuse_type("\"LORA\"");
  for (const auto& [key, field] : config.members()) {
    if (kHarmlessKeys.contains(key) || is_empty(field.value())) continue;
    field.refuse(fmt::format("is {}, which is not supported", field.found()),
                 "merge this adapter with PEFT, or train without it");
  }
  if (config.get("bias").string_or("none") != "none") config.get("bias").refuse_type("\"none\"");
  const std::string& beginning = base::json_string(config.value(), "init_lora_weights");
  for (const char* name : kBeginningsThatChangeTheBase) {
    if (!beginning.starts_with(name)) continue;
    config.at("init_lora_weights")
        .refuse(fmt::format("is {}, which changes the base model", base::in_quotes(beginning)),
                "save the adapter with PEFT's path_initial_model_for_weight_conversion");
  }
}

LoraSettings read_settings(const base::JsonCursor& config) {
  LoraSettings settings;
  settings.rank = config.get("r").integer(1, kMostRank);
  const base::JsonCursor alpha = config.get("lora_alpha");
  settings.alpha = alpha.number();
  if (!(settings.alpha >= kLeastAlpha && settings.alpha <= kMostAlpha)) {
    alpha.refuse_type(fmt::format("a number from {} to {}", kLeastAlpha, kMostAlpha));
  }
  const base::JsonCursor dropout = config.get("lora_dropout");
  settings.dropout = dropout.number_or(0);
  if (!(settings.dropout >= 0 && settings.dropout < 1)) {
    dropout.refuse_type("a number of at least 0 and below 1");
  }
  settings.rank_stabilized = config.get("use_rslora").boolean_or(false);
  return settings;
}

std::string short_name(const LoraTarget& target) {
  return target.module.substr(target.module.rfind('.') + 1);
}

// Sets the targets that the file's tensors show: target_modules may be a list of short or of whole names or a
// regular expression, and the tensors are what counts.
void find_targets(const SafetensorsFile& file, const ModelConfig& config, LoraSettings& settings) {
  settings.targets.clear();
  std::set<std::string> names;
  for (const LoraTarget& target : lora_targets(config, settings)) {
    names.insert(lora_a_name(target.module));
    names.insert(lora_b_name(target.module));
    if (std::find(settings.targets.begin(), settings.targets.end(), short_name(target)) !=
        settings.targets.end()) {
      continue;
    }
    if (file.find(lora_a_name(target.module)) != nullptr ||
        file.find(lora_b_name(target.module)) != nullptr) {
      settings.targets.push_back(short_name(target));
    }
  }
  for (const StoredTensor& tensor : file.tensors()) {
    if (names.contains(tensor.name)) continue;
    const bool is_expert = tensor.name.find(".mlp.experts.") != std::string::npos;
    throw base::Error("{}: tensor {} is not a lora_A or lora_B of a linear layer of this model",
                      file.path().string(), base::in_quotes(tensor.name, 200))
        .with_remedy("{}",
                     is_expert
                         ? "adapters of experts are not supported: train on attention layers alone"
                         : "the adapter belongs to another base model, or has parts that are not supported");
  }
  if (settings.targets.empty()) throw base::Error("{} has no tensors", file.path().string());
}

NamedTensor read_tensor(const SafetensorsFile& file, const std::string& name,
                        const std::vector<int64_t>& shape) {
  const StoredTensor* tensor = file.find(name);
  if (tensor == nullptr) {
    throw base::Error("{}: tensor {} is missing", file.path().string(), base::in_quotes(name, 200))
        .with_remedy("every layer of a target needs both halves; copy the adapter again");
  }
  if (!torch::isFloatingType(tensor->type)) {
    throw base::Error("{}: tensor {} has the type {}, not a floating-point one", file.path().string(),
                      base::in_quotes(name, 200), torch::toString(tensor->type));
  }
  if (tensor->shape != shape) {
    throw base::Error("{}: tensor {} has the shape {}, but {} follows from the rank in {} and the model",
                      file.path().string(), base::in_quotes(name, 200), shown_shape(tensor->shape),
                      shown_shape(shape), kConfigFile)
        .with_remedy("the adapter belongs to another base model, or its files are of different runs");
  }
  return {name, file.view(*tensor).clone()};
}

fs::path weights_file(const fs::path& folder) {
  const fs::path file = folder / kWeightsFile;
  if (fs::exists(file)) return file;
  base::Error error("{} has no {}", folder.string(), kWeightsFile);
  if (fs::exists(folder / "adapter_model.bin")) {
    throw std::move(error).with_remedy(
        "its weights are in adapter_model.bin: load and save it with PEFT to convert them to safetensors");
  }
  throw std::move(error).with_remedy("give the folder of a LoRA adapter");
}

// PEFT declares lora_alpha as an integer.
base::Json number_for_json(double value) {
  const bool is_whole = std::abs(value) <= kMostAlpha && std::trunc(value) == value;
  return is_whole ? base::Json(static_cast<int64_t>(value)) : base::Json(value);
}

base::Json config_of(const Adapter& adapter) {
  const LoraSettings& settings = adapter.settings;
  return {{"alpha_pattern", base::Json::object()},
          {"auto_mapping", nullptr},
          {"base_model_name_or_path", adapter.base_model},
          {"bias", "none"},
          {"fan_in_fan_out", false},
          {"inference_mode", true},
          {"init_lora_weights", true},
          {"layers_pattern", nullptr},
          {"layers_to_transform", nullptr},
          {"lora_alpha", number_for_json(settings.alpha)},
          {"lora_dropout", settings.dropout},
          {"modules_to_save", nullptr},
          {"peft_type", "LORA"},
          {"r", settings.rank},
          {"rank_pattern", base::Json::object()},
          {"revision", nullptr},
          {"target_modules", settings.targets},
          {"task_type", "CAUSAL_LM"},
          {"use_dora", false},
          {"use_rslora", settings.rank_stabilized}};
}

}  // namespace

void write_adapter(const fs::path& folder, const Adapter& adapter) {
  CUSET_CHECK(!adapter.settings.targets.empty(), "an adapter without the names of its targets");
  base::make_folder(folder);
  write_safetensors(folder / kWeightsFile, adapter.tensors);
  base::write_json_file(folder / kConfigFile, config_of(adapter));
}

Adapter adapter_from_config(const base::Json& json, std::string_view name) {
  const base::JsonCursor config(json, name);
  refuse_unsupported(config);
  return {.settings = read_settings(config),
          .base_model = config.get("base_model_name_or_path").string_or(""),
          .tensors = {}};
}

Adapter read_adapter(const fs::path& folder, const ModelConfig& config) {
  const fs::path config_file = folder / kConfigFile;
  if (!fs::exists(config_file)) {
    throw base::Error("{} has no {}", folder.string(), kConfigFile)
        .with_remedy("give the folder of a LoRA adapter");
  }
  Adapter adapter = adapter_from_config(base::read_json_file(config_file), config_file.string());
  const SafetensorsFile file(weights_file(folder));
  find_targets(file, config, adapter.settings);
  for (const LoraTarget& target : lora_targets(config, adapter.settings)) {
    const int64_t rank = adapter.settings.rank;
    adapter.tensors.push_back(read_tensor(file, lora_a_name(target.module), {rank, target.in}));
    adapter.tensors.push_back(read_tensor(file, lora_b_name(target.module), {target.out, rank}));
  }
  return adapter;
}

void warn_of_other_base(const Adapter& adapter, const fs::path& folder, const fs::path& model) {
  const std::string trained_on = base::last_part(adapter.base_model);
  const std::string given = base::last_part(model);
  if (trained_on.empty() || given.empty() || trained_on == given) return;
  base::log_warning("{} was trained on {}, not on {}; no matter if these are two names of one model",
                    folder.string(), base::in_quotes(adapter.base_model, 200), model.string());
}

}  // namespace cuset::model
