// The keys of `cuset train`. Names are LLaMA-Factory's where it has one with the same meaning; keys of its
// that mean nothing here are accepted and named in the log. docs/train.md has the table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "cli/commands/train/llama_factory_file.h"
#include "cli/framework/settings.h"
#include "train/training_settings.h"

namespace cuset::cli {

class TrainKeys {
 public:
  // The targets are members: this must stay where it is while `settings` lives.
  void declare(Settings& settings);

  // The run that the keys describe, after Settings::apply(). Throws UsageError naming key and value for what
  // is out of range or contradicts another key; says in the log which keys are ignored.
  train::TrainingSettings resolve(const Settings& settings);

  // Whether the stage is reinforcement learning; then what both stages share, likewise.
  bool is_reinforcement() const { return stage_ == "grpo"; }
  train::TrainingSettings resolve_shared(const Settings& settings);

 private:
  void declare_model(Settings& settings);
  void declare_data(Settings& settings);
  void declare_objective(Settings& settings);
  void declare_steps(Settings& settings);
  void declare_intervals(Settings& settings);
  // llama_factory_settings.cc has what is LLaMA-Factory's: its keys, its defaults, data sets by name.
  void declare_llama_factory(Settings& settings);
  void read_llama_factory_file(std::vector<base::ConfigEntry>& entries, const std::filesystem::path& file);
  void take_llama_factory_defaults(const Settings& settings);
  std::vector<data::DataSource> sources_of(std::string_view key, const std::vector<std::string>& names) const;
  data::Learn what_to_learn() const;
  void resolve_model(const Settings& settings);
  void resolve_lengths();  // of the data: rows, and tokens of a sample
  void resolve_data();
  void resolve_objective(const Settings& settings);
  void resolve_steps(const Settings& settings);
  void resolve_intervals(const Settings& settings);
  void resolve_run(const Settings& settings);
  void note_ignored(const std::string& reason, const std::string& key);
  void say_ignored() const;

  train::TrainingSettings run_;  // some keys go straight into it
  // Others are words or numbers that stand for something.
  std::string stage_ = "sft", finetuning_type_ = "lora", over_length_ = "drop", objective_ = "cuset";
  std::string loss_denominator_ = "tokens", scheduler_ = "cosine", batching_ = "auto";
  std::string save_strategy_ = "steps", eval_strategy_ = "auto", resume_from_ = "";
  std::vector<std::string> data_, eval_data_, lora_target_ = {"all"}, report_to_ = {"tensorboard"};
  double lora_alpha_ = 0;
  int64_t limit_ = 0;
  int64_t cutoff_len_ = 4096, batch_ = 1, accumulation_ = 1, max_steps_ = 0, seed_ = 42, logging_steps_ = 10;
  int64_t save_steps_ = 500, eval_steps_ = 0;
  bool bf16_ = false, pure_bf16_ = false, packing_ = false, neat_packing_ = false, do_train_ = true;
  bool no_recompute_ = false, dft_ = false, eaft_ = false, asft_ = false, greater_is_better_ = false;
  bool mask_history_ = false, train_on_prompt_ = false;
  FileOrigin origin_ = FileOrigin::kCuset;
  std::filesystem::path file_;  // LLaMA-Factory's
  std::filesystem::path dataset_folder_ = "data";
  std::string schedule_arguments_;
  std::map<std::string, std::vector<std::string>> ignored_flags_;
  std::map<std::string, std::vector<std::string>> ignored_;  // by the reason
};

}  // namespace cuset::cli
