#include "cli/commands/train/llama_factory_file.h"

#include <algorithm>
#include <array>
#include <map>
#include <string_view>

#include "base/error.h"

namespace cuset::cli {
namespace {

using base::ConfigEntry;

constexpr std::array<std::string_view, 6> kStages = {"pt", "sft", "rm", "ppo", "dpo", "kto"};
constexpr std::array<std::string_view, 3> kMarks = {"template", "do_train", "dataset_dir"};

struct RefusedValue {
  std::string_view key, value, reason;
};

constexpr RefusedValue kRefusedValues[] = {
    {"stage", "rm", "reward models are not trained"},
    {"stage", "ppo", "of reinforcement learning there is no PPO with a reward model"},
    {"stage", "dpo", "there is no training on preferences"},
    {"stage", "kto", "there is no training on preferences"},
    {"finetuning_type", "freeze", "there is LoRA and full training"},
    {"finetuning_type", "oft", "there is LoRA and full training"},
};

template <size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

const std::string& value_of(const ConfigEntry& entry) {
  static const std::string kNone;
  return entry.values.empty() ? kNone : entry.values.front();
}

std::string place_of(const ConfigEntry& entry, const std::filesystem::path& file) {
  return fmt::format("{}:{}", file.string(), entry.line);
}

[[noreturn]] void refuse_entry(const ConfigEntry& entry, const std::filesystem::path& file,
                               std::string_view why) {
  throw base::UsageError("{}: {}: {} is not supported by cuset: {}", place_of(entry, file), entry.key,
                         base::in_quotes(value_of(entry)), why);
}

// Names of v1 and what the same thing is called otherwise.
const std::map<std::string_view, std::string_view> kV1Names = {
    {"peft_config.name", "finetuning_type"},
    {"peft_config.r", "lora_rank"},
    {"peft_config.lora_alpha", "lora_alpha"},
    {"peft_config.lora_dropout", "lora_dropout"},
    {"peft_config.target_modules", "lora_target"},
    {"peft_config.use_rslora", "use_rslora"},
    {"train_dataset", "dataset"},
    {"micro_batch_size", "per_device_train_batch_size"},
    {"enable_activation_checkpointing", "gradient_checkpointing"},
};

// True for a key that v1 alone has and that is refused, but not with this value.
bool is_off(const ConfigEntry& entry, const std::filesystem::path& file) {
  const LlamaFactoryKey* key = find_v1_key(entry.key);
  if (key == nullptr || key->status != KeyStatus::kRefused) return false;
  if (!entry.values.empty() && value_of(entry) != key->neutral) refuse_entry(entry, file, key->note);
  return true;
}

ConfigEntry with_value(const ConfigEntry& entry, const std::string& key, const std::string& value) {
  return {.key = key, .values = {value}, .is_list = false, .line = entry.line};
}

// The micro-batches of a step: global_batch_size over micro_batch_size, which is 1 by default.
ConfigEntry accumulation_of(const ConfigEntry& global, const std::vector<ConfigEntry>& entries,
                            const std::filesystem::path& file) {
  const auto micro = std::find_if(entries.begin(), entries.end(),
                                  [](const ConfigEntry& entry) { return entry.key == "micro_batch_size"; });
  const long batch = micro == entries.end() ? 1 : std::atol(value_of(*micro).c_str());
  const long all = std::atol(value_of(global).c_str());
  if (batch < 1 || all < 1 || all % batch != 0) {
    refuse_entry(global, file, "it must be a multiple of micro_batch_size");
  }
  return with_value(global, "gradient_accumulation_steps", std::to_string(all / batch));
}

}  // namespace

FileOrigin origin_of(const std::vector<ConfigEntry>& entries) {
  FileOrigin origin = FileOrigin::kCuset;
  for (const ConfigEntry& entry : entries) {
    if (entry.key == "train_dataset" || entry.key == "model_class") return FileOrigin::kLlamaFactoryV1;
    const bool is_stage = entry.key == "stage" && is_one_of(value_of(entry), kStages);
    if (is_stage || is_one_of(entry.key, kMarks)) origin = FileOrigin::kLlamaFactory;
  }
  return origin;
}

void refuse_unsupported_values(const std::vector<ConfigEntry>& entries, const std::filesystem::path& file) {
  for (const ConfigEntry& entry : entries) {
    for (const RefusedValue& refused : kRefusedValues) {
      if (entry.key == refused.key && value_of(entry) == refused.value)
        refuse_entry(entry, file, refused.reason);
    }
  }
}

const std::vector<LlamaFactoryKey>& v1_keys() {
  static const std::vector<LlamaFactoryKey> kKeys = {
      {"batching_strategy", KeyStatus::kWorks,
       "`dynamic_batching` and `dynamic_padding_free` are `packing: true`", ""},
      {"batching_workers", KeyStatus::kIgnored, "data is in memory before the first step", ""},
      {"cp_mode", KeyStatus::kIgnored, "belongs to cp_size", ""},
      {"cp_size", KeyStatus::kRefused, "a sequence is not divided among GPUs", "1"},
      {"custom_chat_template", KeyStatus::kRefused, "the chat template of the model folder is used", ""},
      {"dist_config", KeyStatus::kIgnored, "every process holds the whole model", ""},
      {"dist_timeout", KeyStatus::kIgnored, "every process holds the whole model", ""},
      {"dp_size", KeyStatus::kIgnored, "the number of processes is that of torchrun", ""},
      {"enable_activation_checkpointing", KeyStatus::kWorks, "`gradient_checkpointing`", ""},
      {"global_batch_size", KeyStatus::kWorks, "with one process; a multiple of `micro_batch_size`", ""},
      {"init_config", KeyStatus::kIgnored, "weights are read from the model folder", ""},
      {"kernel_config", KeyStatus::kIgnored, "cuset has its own kernels", ""},
      {"lr_scheduler_config", KeyStatus::kRefused, "the learning rate of v1 files is constant", ""},
      {"micro_batch_size", KeyStatus::kWorks, "`per_device_train_batch_size`", ""},
      {"model_class", KeyStatus::kRefused, "only language models are trained", "llm"},
      {"mp_replicate_size", KeyStatus::kIgnored, "every process holds the whole model", ""},
      {"mp_shard_size", KeyStatus::kIgnored, "every process holds the whole model", ""},
      {"optim_config", KeyStatus::kRefused, "the optimizer is AdamW", ""},
      {"peft_config", KeyStatus::kWorks,
       "`name: lora` with `r`, `lora_alpha`, `lora_dropout`, `target_modules`", ""},
      {"quant_config", KeyStatus::kRefused, "weights are not quantized", ""},
      {"save_ckpt_as_hf", KeyStatus::kIgnored, "results are always in Hugging Face's formats", ""},
      {"save_epochs", KeyStatus::kRefused, "use save_strategy: epoch", ""},
      {"train_dataset", KeyStatus::kWorks, "a YAML file that names local files", ""},
  };
  return kKeys;
}

const LlamaFactoryKey* find_v1_key(std::string_view key) {
  const std::vector<LlamaFactoryKey>& keys = v1_keys();
  const auto is_it = [&](const LlamaFactoryKey& candidate) {
    return key == candidate.key || key.starts_with(candidate.key + ".");
  };
  const auto found = std::find_if(keys.begin(), keys.end(), is_it);
  return found == keys.end() ? nullptr : &*found;
}

std::vector<ConfigEntry> translate_v1(const std::vector<ConfigEntry>& entries,
                                      const std::filesystem::path& file) {
  std::vector<ConfigEntry> translated;
  bool has_adapter = false;
  for (const ConfigEntry& entry : entries) {
    has_adapter |= entry.key.starts_with("peft_config.");
    if (is_off(entry, file)) continue;
    if (entry.key == "peft_config.name" && value_of(entry) != "lora") {
      refuse_entry(entry, file, "there is LoRA and full training");
    }
    if (entry.key == "batching_strategy") {
      if (value_of(entry).starts_with("dynamic")) translated.push_back(with_value(entry, "packing", "true"));
    } else if (entry.key == "global_batch_size" && !entry.values.empty()) {
      translated.push_back(accumulation_of(entry, entries, file));
    } else if (const auto name = kV1Names.find(entry.key); name != kV1Names.end()) {
      ConfigEntry renamed = entry;
      renamed.key = name->second;
      translated.push_back(renamed);
    } else {
      translated.push_back(entry);
    }
  }
  if (!has_adapter)
    translated.push_back({.key = "finetuning_type", .values = {"full"}, .is_list = false, .line = 0});
  return translated;
}

}  // namespace cuset::cli
