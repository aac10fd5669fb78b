// What `cuset train` does differently for files of LLaMA-Factory: defaults, data sets by name, keys without effect.
#include <array>

#include "base/error.h"
#include "base/json/json.h"
#include "base/json/json_cursor.h"
#include "base/log.h"
#include "cli/commands/train/train_settings.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

constexpr const char* kDatasetsFolder =
    "Hugging Face's datasets wrote it: datasets.load_from_disk(FOLDER).to_json(OUT) converts it";

std::string remedy_for_data_folder(const fs::path& folder) {
  if (fs::exists(folder / "state.json") || fs::exists(folder / "dataset_dict.json")) return kDatasetsFolder;
  if (fs::exists(folder / "dataset_info.json")) {
    return fmt::format("name an entry of its dataset_info.json: --dataset-dir {} --data NAME",
                       folder.string());
  }
  return "give its files";
}

// Keys without effect that are flags as well, for command lines made for LLaMA-Factory.
constexpr std::array<const char*, 20> kIgnoredFlags = {"template",
                                                       "plot_loss",
                                                       "flash_attn",
                                                       "overwrite_cache",
                                                       "preprocessing_num_workers",
                                                       "dataloader_num_workers",
                                                       "ddp_timeout",
                                                       "include_num_input_tokens_seen",
                                                       "trust_remote_code",
                                                       "per_device_eval_batch_size",
                                                       "save_only_model",
                                                       "save_safetensors",
                                                       "do_eval",
                                                       "run_name",
                                                       "low_cpu_mem_usage",
                                                       "logging_dir",
                                                       "compute_accuracy",
                                                       "enable_liger_kernel",
                                                       "use_unsloth",
                                                       "optim"};

// Blanks around a name, as in "identity, alpaca_en_demo".
std::string trimmed(const std::string& text) {
  const size_t begin = text.find_first_not_of(' ');
  return begin == text.npos ? "" : text.substr(begin, text.find_last_not_of(' ') - begin + 1);
}

// "REMOTE:name" is a folder on a hub, "ONLINE" the hub itself. Where their data lies here, too, it is in `data`.
fs::path local_folder(const fs::path& folder) {
  const std::string name = folder.string();
  if (!name.starts_with("REMOTE:") && name != "ONLINE") return folder;
  base::log_warning("dataset_dir: {} is not downloaded; the folder data is read instead", name);
  return "data";
}

// {"min_lr": 1e-6} of lr_scheduler_kwargs.
void read_schedule_arguments(const std::string& text, train::ScheduleSettings& schedule) {
  if (text.empty()) return;
  const base::Json json = base::parse_json(text, "lr_scheduler_kwargs");
  const base::JsonCursor arguments(json, "lr_scheduler_kwargs");
  arguments.expect_only({"min_lr", "min_lr_rate"});
  schedule.min_lr = arguments.get("min_lr").number_or(schedule.min_lr);
  schedule.min_lr_rate = arguments.get("min_lr_rate").number_or(schedule.min_lr_rate);
}

}  // namespace

void TrainKeys::declare_llama_factory(Settings& settings) {
  settings.add("dataset_dir", dataset_folder_, "Folder of dataset_info.json, for data sets by name");
  settings.add("lr_scheduler_kwargs", schedule_arguments_,
               "LLaMA-Factory's form of min_lr and min_lr_rate, as JSON");
  for (const char* key : kIgnoredFlags) {
    settings.add(key, ignored_flags_[key], "LLaMA-Factory's key; ignored");
    settings.hide(key);
  }
  settings.take_files_without_flag();
  settings.set_file_reader([this](std::vector<base::ConfigEntry>& entries, const fs::path& file) {
    read_llama_factory_file(entries, file);
  });
  settings.set_foreign_keys([this](std::string_view key, const std::vector<std::string>& values) {
    const LlamaFactoryKey* taken = take_llama_factory_key(key, values);
    if (taken == nullptr && origin_ == FileOrigin::kLlamaFactoryV1) taken = find_v1_key(key);
    if (taken != nullptr && taken->status == KeyStatus::kIgnored) note_ignored(taken->note, taken->key);
    return taken != nullptr;
  });
}

void TrainKeys::read_llama_factory_file(std::vector<base::ConfigEntry>& entries, const fs::path& file) {
  const FileOrigin origin = origin_of(entries);
  if (origin == FileOrigin::kCuset) return;
  origin_ = origin;
  file_ = file;
  if (origin == FileOrigin::kLlamaFactoryV1) entries = translate_v1(entries, file);
  refuse_unsupported_values(entries, file);
  for (base::ConfigEntry& entry : entries) {
    if (entry.key == "lr_scheduler_kwargs.min_lr") entry.key = "min_lr";
    if (entry.key == "lr_scheduler_kwargs.min_lr_rate") entry.key = "min_lr_rate";
  }
}

void TrainKeys::take_llama_factory_defaults(const Settings& settings) {
  read_schedule_arguments(schedule_arguments_, run_.schedule);
  if (origin_ == FileOrigin::kCuset) return;
  const bool is_v1 = origin_ == FileOrigin::kLlamaFactoryV1;
  const auto use = [&](const char* key, auto& target, const auto& value) {
    if (!settings.is_given(key)) target = value;
  };
  use("objective", objective_, "sft");
  use("lora_dropout", run_.model.lora.dropout, 0.0);
  use("over_length", over_length_, "truncate_turns");
  use("cutoff_len", cutoff_len_, 2048);
  use("learning_rate", run_.schedule.learning_rate, is_v1 ? 1e-4 : 5e-5);
  use("lr_scheduler_type", scheduler_, is_v1 ? "constant" : "linear");
  use("per_device_train_batch_size", batch_, is_v1 ? 1 : 8);
  use("gradient_checkpointing", run_.step.recompute, !no_recompute_);
  if (is_v1) use("bf16", bf16_, run_.model.placement.dtype == "auto");
  if (stage_ == "pt") use("packing", packing_, true);
}

data::Learn TrainKeys::what_to_learn() const {
  if (mask_history_ && train_on_prompt_) {
    throw base::UsageError("mask_history and train_on_prompt exclude each other");
  }
  if (train_on_prompt_) return data::Learn::kEverything;
  const bool is_ours = origin_ == FileOrigin::kCuset;
  return mask_history_ || is_ours ? data::Learn::kLastAnswer : data::Learn::kAllAnswers;
}

std::vector<data::DataSource> TrainKeys::sources_of(std::string_view key,
                                                    const std::vector<std::string>& names) const {
  std::vector<data::DataSource> sources;
  for (const std::string& given : names) {
    const std::string name = trimmed(given);
    const fs::path folder = local_folder(dataset_folder_);
    const bool has_names = fs::exists(folder / "dataset_info.json");
    std::vector<data::DataSource> found;
    if (origin_ == FileOrigin::kLlamaFactoryV1 && (name.ends_with(".yaml") || name.ends_with(".yml"))) {
      if (!fs::exists(name)) throw base::UsageError("{}: {} does not exist", key, base::in_quotes(name));
      found = data::v1_datasets(name);
    } else if (fs::is_regular_file(name) || fs::is_fifo(name) || name == "-") {
      found = {{name}};
    } else if (fs::is_directory(name) && (!has_names || name.find('/') != name.npos)) {
      throw base::UsageError("{}: {} is a folder", key, base::in_quotes(name, 200))
          .with_remedy("{}", remedy_for_data_folder(name));
    } else if (name.find_first_of("/.") != name.npos && !has_names) {
      throw base::UsageError("{}: {} does not exist", key, base::in_quotes(name, 200))
          .with_remedy("give paths of JSONL files or JSON arrays, or names in dataset_info.json");
    } else {
      found = data::named_dataset(folder, name, stage_ == "pt");
    }
    sources.insert(sources.end(), found.begin(), found.end());
  }
  return sources;
}

void TrainKeys::note_ignored(const std::string& reason, const std::string& key) {
  std::vector<std::string>& keys = ignored_[reason];
  if (keys.empty() || keys.back() != key) keys.push_back(key);  // a nested key has several entries
}

void TrainKeys::say_ignored() const {
  if (origin_ != FileOrigin::kCuset) {
    base::log_info("{} is a file of LLaMA-Factory: what it leaves out has that program's defaults",
                   file_.string());
  }
  std::map<std::string, std::vector<std::string>> ignored = ignored_;
  for (const auto& [key, values] : ignored_flags_) {
    if (!values.empty()) ignored[find_llama_factory_key(key)->note].push_back(key);
  }
  for (const auto& [reason, keys] : ignored) base::log_info("ignoring {}: {}", fmt::join(keys, ", "), reason);
}

}  // namespace cuset::cli
