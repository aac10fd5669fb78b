// The keys of `cuset train`. Names are LLaMA-Factory's where it has one with the same meaning; keys of its
// that mean nothing here are accepted and named in the log. docs/train.md has the table.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

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

 private:
  void declare_model(Settings& settings);
  void declare_data(Settings& settings);
  void declare_objective(Settings& settings);
  void declare_steps(Settings& settings);
  void declare_intervals(Settings& settings);
  void declare_ignored(Settings& settings);
  void resolve_model(const Settings& settings);
  void resolve_data();
  void resolve_objective(const Settings& settings);
  void resolve_steps(const Settings& settings);
  void resolve_intervals(const Settings& settings);
  void resolve_run(const Settings& settings);
  void say_ignored(const Settings& settings) const;

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
  bool bf16_ = false, pure_bf16_ = false, fp16_ = false, packing_ = false, neat_packing_ = false,
       do_train_ = true;
  bool no_recompute_ = false, dft_ = false, eaft_ = false, asft_ = false, greater_is_better_ = false;
  std::map<std::string, std::vector<std::string>> ignored_;
};

}  // namespace cuset::cli
