#include "cli/commands/train/train_settings.h"

#include "base/error.h"
#include "base/log.h"
#include "cli/framework/model_path.h"
#include "cli/framework/over_length.h"
#include "cli/framework/placement_settings.h"
#include "cli/framework/setting_limits.h"
#include "train/records/tracker.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

void share(std::string_view key, double value) {
  if (!(value >= 0 && value < 1)) throw base::UsageError("{} is {}, but must be in [0, 1)", key, value);
}

void require_learning_rate(double rate, bool full) {
  if (rate > 0) return;
  throw base::UsageError("learning_rate is {}, but must be above 0: nothing would be learned", rate)
      .with_remedy("usual is {}", full ? "1e-5 for all weights" : "1e-4 for LoRA");
}

train::EveryNSteps every_n_steps_of(std::string_view strategy, std::string_view key, int64_t steps) {
  if (strategy == "no") return {};
  if (strategy == "epoch") return {train::EveryNSteps::Kind::kEpochs, 0};
  at_least(key, steps, 1);
  return {train::EveryNSteps::Kind::kSteps, steps};
}

}  // namespace

void TrainKeys::declare(Settings& settings) {
  declare_model(settings);
  declare_data(settings);
  declare_objective(settings);
  declare_steps(settings);
  declare_intervals(settings);
  declare_llama_factory(settings);
}

void TrainKeys::declare_model(Settings& settings) {
  settings.add("model", run_.model.folder, "Model folder: Qwen2, Qwen3, Qwen3-MoE, Llama or Mistral");
  settings.add_alias("model_name_or_path", "model");
  settings.require("model");
  settings.add("output", run_.run.path,
               "Folder of the run: adapter or model, checkpoints, metrics, run.json");
  settings.add_alias("output_dir", "output");
  settings.require("output");
  settings.add("from_scratch", run_.model.from_scratch, "Start from random weights");
  settings.add_alias("train_from_scratch", "from_scratch");
  settings.add_choice("finetuning_type", finetuning_type_, {"lora", "full"},
                      "Train a LoRA adapter or all weights");
  settings.add("lora_rank", run_.model.lora.rank, "LoRA rank");
  settings.add("lora_alpha", lora_alpha_, "LoRA alpha; scaling is alpha/rank (0: 2 x rank)");
  settings.add("lora_dropout", run_.model.lora.dropout, "Dropout of the LoRA adapter's inputs");
  settings.add("lora_target", lora_target_, "Layers with a LoRA adapter: all, or names like q_proj,v_proj");
  settings.add("use_rslora", run_.model.lora.rank_stabilized,
               "Rank-stabilized LoRA: scaling is alpha/sqrt(rank)");
  declare_placement(settings, run_.model.placement);
  settings.add("bf16", bf16_, "The same as dtype: bfloat16");
  settings.add("pure_bf16", pure_bf16_, "The same as dtype: bfloat16");
  settings.add("threads", run_.model.placement.threads, "Number of CPU threads (0: all cores)");
  settings.add("full_determinism", run_.model.deterministic,
               "Bit-identical runs on a GPU too, about a seventh slower");
}

void TrainKeys::declare_data(Settings& settings) {
  settings.add("data", data_, "Training data: JSONL files, or names in dataset_info.json");
  settings.add_alias("dataset", "data");
  settings.add("eval_data", eval_data_, "Evaluation data: JSONL files");
  settings.add_alias("eval_dataset", "eval_data");
  settings.add("val_size", run_.data.validation_size,
               "Without eval_data: share (below 1) or number of training samples to evaluate on instead");
  settings.add("limit", limit_, "Use only the first N samples of each file (0: all)");
  settings.add_alias("max_samples", "limit");
  settings.add("cutoff_len", cutoff_len_, "Maximum number of tokens of a sample, and of a pack");
  settings.add_choice("over_length", over_length_, {"drop", "error", "truncate", "truncate_turns"},
                      "What to do with longer samples");
  settings.add("skip_bad_rows", run_.data.skip_bad_rows, "Train without malformed rows instead of ending");
  settings.add("tokenized_path", run_.data.tokenized,
               "Folder to keep tokenized data in; where it exists, it is read instead of the files");
  settings.add("mask_history", mask_history_,
               "Learn only the last answer of a conversation: cuset's default");
  settings.add("train_on_prompt", train_on_prompt_, "Learn the prompt, too");
  settings.add("packing", packing_, "Pack samples into micro-batches of cutoff_len tokens");
  settings.add("neat_packing", neat_packing_,
               "The same as packing: samples of a pack never attend to each other");
  settings.add_choice("batching", batching_, {"auto", "samples", "packed_samples", "packs"},
                      "Contents of a micro-batch; auto: packs with packing, else samples");
}

void TrainKeys::declare_objective(Settings& settings) {
  objective::ObjectiveSettings& objective = run_.step.objective;
  settings.add_choice(
      "stage", stage_, {"sft", "pt", "grpo"},
      "Training stage: supervised fine-tuning, learning of whole texts, or reinforcement learning "
      "(docs/reinforce.md)");
  settings.add("do_train", do_train_, "LLaMA-Factory's switch; must be true");
  settings.add_choice("objective", objective_,
                      {"sft", "dft", "eaft", "profit", "asft", "cuset", "cuset_plus"}, "Training objective");
  settings.add_alias("method", "objective");
  settings.add("use_dft_loss", dft_, "The same as objective: dft");
  settings.add("use_eaft_loss", eaft_, "The same as objective: eaft");
  settings.add("use_asft_loss", asft_, "The same as objective: asft");
  settings.add("tau", objective.tau, "ProFit, CuSeT: confidence threshold of the token mask");
  settings.add("tau_ramp", objective.tau_ramp, "ProFit, CuSeT: share of the run over which tau rises from 0");
  settings.add("lambda", objective.lambda, "CuSeT: weight lambda of the CUDA mask");
  settings.add("window", objective.window, "CuSeT: number of tokens of the window that weighs a sample");
  settings.add("confidence_mask", objective.confidence_mask, "CuSeT: use the confidence mask");
  settings.add("cuda_mask", objective.cuda_mask, "CuSeT, CuSeT+ on request: use the CUDA mask");
  settings.add("sample_weight", objective.sample_weight,
               "CuSeT, CuSeT+ on request: weigh samples by their least confident window");
  settings.add(
      "refused_share", objective.refused_share,
      "CuSeT+: share of unlikely tokens above which those of a sample's kernels, or of its other text, are refused");
  settings.add(
      "conflict", objective.conflict,
      "CuSeT+: refuse an unlikely token where the model gives another one at least this probability (1: never)");
  settings.add("entropy_exponent", objective.entropy_exponent, "EAFT: exponent of the entropy");
  settings.add_alias("eaft_alpha", "entropy_exponent");
  settings.add("divergence", objective.divergence, "ASFT: weight of the divergence from the base model");
  settings.add_alias("asft_alpha", "divergence");
  settings.add("signature_in_mask", run_.data.signature_in_mask,
               "Count kernel signatures as CUDA code in the CUDA mask");
  settings.add_choice("loss_denominator", loss_denominator_, {"tokens", "weights", "samples"},
                      "What the summed loss of a step is divided by");
  settings.add_alias("normaliser", "loss_denominator");
}

void TrainKeys::declare_steps(Settings& settings) {
  settings.add("per_device_train_batch_size", batch_, "Number of samples of a micro-batch");
  settings.add("gradient_accumulation_steps", accumulation_,
               "Number of micro-batches of a step, per process");
  settings.add("learning_rate", run_.schedule.learning_rate, "Peak learning rate");
  settings.add("num_train_epochs", run_.order.epochs, "Number of passes over the data");
  settings.add("max_steps", max_steps_, "Number of steps, instead of epochs (0: use epochs)");
  settings.add(
      "lr_scheduler_type", scheduler_,
      "Learning rate schedule: linear, cosine, cosine_with_min_lr, constant or constant_with_warmup");
  settings.add("min_lr", run_.schedule.min_lr, "cosine_with_min_lr: the learning rate at the end");
  settings.add("min_lr_rate", run_.schedule.min_lr_rate,
               "cosine_with_min_lr: the same as a share of learning_rate");
  settings.add("warmup_ratio", run_.schedule.warmup_ratio,
               "Share of the steps used for learning rate warm-up");
  settings.add("warmup_steps", run_.schedule.warmup_steps, "Number of warm-up steps, instead of the share");
  settings.add("weight_decay", run_.optimizer.weight_decay, "AdamW weight decay");
  settings.add("loraplus_lr_ratio", run_.optimizer.lora_plus_ratio,
               "LoRA+: multiple of the learning rate for the matrices B (1: plain LoRA)");
  settings.add("adam_beta1", run_.optimizer.beta1, "AdamW beta1, the decay of the first moment");
  settings.add("adam_beta2", run_.optimizer.beta2, "AdamW beta2, the decay of the second moment");
  settings.add("adam_epsilon", run_.optimizer.epsilon, "AdamW epsilon, added to the denominator");
  settings.add("max_grad_norm", run_.step.max_gradient_norm, "Gradient norm to clip to (0: no clipping)");
  settings.add("gradient_checkpointing", run_.step.recompute,
               "Recompute activations in the backward pass instead of storing them");
  settings.add("disable_gradient_checkpointing", no_recompute_,
               "LLaMA-Factory's opposite of gradient_checkpointing");
  settings.add("seed", seed_, "Random seed of weights, dropout and data order");
}

void TrainKeys::declare_intervals(Settings& settings) {
  settings.add("logging_steps", logging_steps_, "Number of steps between log records");
  settings.add_choice("save_strategy", save_strategy_, {"steps", "epoch", "no"}, "When to save checkpoints");
  settings.add("save_steps", save_steps_, "Number of steps between checkpoints");
  settings.add("save_total_limit", run_.run.keep_checkpoints,
               "Number of checkpoints to keep besides the best one (0: all)");
  settings.add_choice("eval_strategy", eval_strategy_, {"auto", "steps", "epoch", "no"},
                      "When to evaluate; auto: by eval_steps if given, else every epoch");
  settings.add_alias("evaluation_strategy", "eval_strategy");
  settings.add("eval_steps", eval_steps_, "Number of steps between evaluations");
  settings.add_choice("metric_for_best_model", run_.best.name,
                      {"eval_loss", "eval_accuracy", "eval_confidence"},
                      "Metric that decides which checkpoint is the best one");
  settings.add("greater_is_better", greater_is_better_,
               "Whether larger values of metric_for_best_model are better");
  settings.add("load_best_model_at_end", run_.best.load_at_end,
               "Make the best checkpoint the result of the run");
  settings.add("early_stopping_steps", run_.early_stop.patience,
               "Stop after this many evaluations without improvement (0: never)");
  settings.add("early_stopping_threshold", run_.early_stop.min_delta,
               "Smallest change of the metric that counts as an improvement");
  settings.add("max_loss_jump", run_.max_loss_jump,
               "Stop if the cross-entropy jumps by this many nats per token (0: never)");
  settings.add("resume", run_.run.resume, "Resume from the latest checkpoint in the output folder");
  settings.add("resume_from_checkpoint", resume_from_,
               "Checkpoint folder to resume from; true: the latest one");
  settings.add("overwrite_output_dir", run_.run.overwrite, "Remove an earlier run in the output folder");
  settings.add("report_to", report_to_,
               "Where metrics go besides metrics.jsonl: tensorboard, wandb, mlflow or none");
}

train::TrainingSettings TrainKeys::resolve_shared(const Settings& settings) {
  if (!do_train_) throw base::UsageError("do_train is false, but cuset train only trains");
  resolve_model(settings);
  resolve_lengths();
  resolve_steps(settings);
  resolve_intervals(settings);
  resolve_run(settings);
  say_ignored();
  return run_;
}

train::TrainingSettings TrainKeys::resolve(const Settings& settings) {
  const bool is_tokenized = !run_.data.tokenized.empty() && std::filesystem::exists(run_.data.tokenized);
  if (!settings.is_given("data") && !is_tokenized) {
    throw base::UsageError("--data is missing: Training data: JSONL files");
  }
  take_llama_factory_defaults(settings);
  resolve_model(settings);
  resolve_data();
  resolve_objective(settings);
  resolve_steps(settings);
  resolve_intervals(settings);
  resolve_run(settings);
  say_ignored();
  return run_;
}

void TrainKeys::resolve_model(const Settings& settings) {
  train::ModelChoice& model = run_.model;
  require_model_folder(model.folder);
  if (bf16_ || pure_bf16_) {
    if (model.placement.dtype == "float32") {
      throw base::UsageError("{} and dtype: float32 exclude each other", bf16_ ? "bf16" : "pure_bf16")
          .with_remedy("where a file turns it on: --no-{}", bf16_ ? "bf16" : "pure-bf16");
    }
    model.placement.dtype = "bfloat16";
  }
  model.full = finetuning_type_ == "full";
  if (model.from_scratch && !model.full) {
    if (settings.is_given("finetuning_type")) {
      throw base::UsageError("from_scratch and finetuning_type: lora exclude each other")
          .with_remedy("random weights need finetuning_type: full");
    }
    model.full = true;
  }
  at_least("lora_rank", model.lora.rank, 1);
  at_least("threads", model.placement.threads, 0);
  share("lora_dropout", model.lora.dropout);
  if (!(lora_alpha_ >= 0)) {
    throw base::UsageError("lora_alpha is {}, but must be at least 0", lora_alpha_)
        .with_remedy("usual is twice lora_rank, the default");
  }
  model.lora.alpha = lora_alpha_ > 0 ? lora_alpha_ : 2 * static_cast<double>(model.lora.rank);
  if (lora_target_ != std::vector<std::string>{"all"}) model.lora.targets = lora_target_;
}

void TrainKeys::resolve_lengths() {
  at_least("limit", limit_, 0);
  run_.data.max_rows = static_cast<size_t>(limit_);
  at_least("cutoff_len", cutoff_len_, 2);
  run_.data.max_tokens = static_cast<size_t>(cutoff_len_);
}

void TrainKeys::resolve_data() {
  run_.data.files = sources_of("data", data_);
  run_.data.evaluation_files = sources_of("eval_data", eval_data_);
  run_.data.learn = what_to_learn();
  at_least("val_size", run_.data.validation_size, 0);
  if (run_.data.validation_size > 0 && !eval_data_.empty()) {
    throw base::UsageError("val_size and eval_data exclude each other");
  }
  resolve_lengths();
  run_.data.over_length = over_length_of(over_length_);
}

void TrainKeys::resolve_objective(const Settings& settings) {
  if (!do_train_) throw base::UsageError("do_train is false, but cuset train only trains");
  const std::vector<std::pair<bool, const char*>> switches = {
      {dft_, "dft"}, {eaft_, "eaft"}, {asft_, "asft"}};
  bool is_chosen = settings.is_given("objective");
  for (const auto& [is_on, name] : switches) {
    if (!is_on || objective_ == name) continue;
    if (is_chosen)
      throw base::UsageError("use_{}_loss and objective: {} exclude each other", name, objective_);
    objective_ = name;
    is_chosen = true;
  }
  objective::ObjectiveSettings& objective = run_.step.objective;
  objective.method = objective::method_named(objective_);
  const objective::ObjectiveSettings defaults = objective::defaults_of(objective.method);
  if (!settings.is_given("cuda_mask")) objective.cuda_mask = defaults.cuda_mask;
  if (!settings.is_given("sample_weight")) objective.sample_weight = defaults.sample_weight;
  objective.check();
  run_.step.loss_denominator = train::loss_denominator_named(loss_denominator_);
  if (run_.step.objective.needs_reference() && run_.model.full) {
    throw base::UsageError(
        "objective: asft needs finetuning_type: lora: its reference is the model without the adapter");
  }
}

void TrainKeys::resolve_steps(const Settings& settings) {
  at_least("per_device_train_batch_size", batch_, 1);
  at_least("gradient_accumulation_steps", accumulation_, 1);
  at_least("seed", seed_, 0);
  require_learning_rate(run_.schedule.learning_rate, run_.model.full);
  at_least("max_grad_norm", run_.step.max_gradient_norm, 0);
  train::DataOrderSettings& order = run_.order;
  order.batch = static_cast<size_t>(batch_);
  order.accumulation = static_cast<size_t>(accumulation_);
  order.max_steps = static_cast<uint64_t>(std::max<int64_t>(0, max_steps_));  // LLaMA-Factory's -1: by epochs
  if (max_steps_ <= 0 && !(order.epochs > 0)) {
    throw base::UsageError("num_train_epochs is {}, but must be above 0", order.epochs);
  }
  const bool packs = batching_ == "packs" || (batching_ == "auto" && (packing_ || neat_packing_));
  order.batching = packs                           ? train::Batching::kPacks
                   : batching_ == "packed_samples" ? train::Batching::kPackedSamples
                                                   : train::Batching::kSamples;
  if (packs) {
    order.accumulation *= order.batch;  // a batch of several packs: as many micro-batches
    order.batch = 1;
  }
  run_.schedule.kind = train::schedule_named(scheduler_);
  run_.seed = static_cast<uint64_t>(seed_);
  if (no_recompute_ && run_.step.recompute && settings.is_given("gradient_checkpointing")) {
    throw base::UsageError("gradient_checkpointing and disable_gradient_checkpointing exclude each other");
  }
}

void TrainKeys::resolve_intervals(const Settings& settings) {
  at_least("logging_steps", logging_steps_, 1);
  run_.logging = {train::EveryNSteps::Kind::kSteps, logging_steps_};
  run_.saving = every_n_steps_of(save_strategy_, "save_steps", save_steps_);
  const bool has_data = !run_.data.evaluation_files.empty() || run_.data.validation_size > 0;
  std::string strategy = eval_strategy_;
  if (strategy == "auto") strategy = !has_data ? "no" : settings.is_given("eval_steps") ? "steps" : "epoch";
  if (strategy != "no" && !has_data) {
    throw base::UsageError("eval_strategy is {}, but there is no evaluation data", strategy)
        .with_remedy("give eval_data, or val_size: 0.05");
  }
  const int64_t eval_steps = eval_steps_ == 0 ? logging_steps_ : eval_steps_;  // as Hugging Face's trainer
  run_.evaluating = every_n_steps_of(strategy, "eval_steps", eval_steps);
  const bool greater = run_.best.name != "eval_loss";
  if (settings.is_given("greater_is_better") && greater_is_better_ != greater) {
    throw base::UsageError("greater_is_better is {}, but of {} the {} is better", greater_is_better_,
                           run_.best.name, greater ? "greater" : "smaller");
  }
  run_.early_stop.greater_is_better = greater;
  at_least("early_stopping_steps", run_.early_stop.patience, 0);
  if (strategy == "no" && (run_.early_stop.patience > 0 || run_.best.load_at_end)) {
    throw base::UsageError("{} needs an evaluation",
                           run_.best.load_at_end ? "load_best_model_at_end" : "early_stopping_steps")
        .with_remedy("give eval_data, or val_size: 0.05");
  }
  at_least("max_loss_jump", run_.max_loss_jump, 0);
}

void TrainKeys::resolve_run(const Settings& settings) {
  at_least("save_total_limit", run_.run.keep_checkpoints, 0);
  if (resume_from_ == "true" || resume_from_ == "True") {
    run_.run.resume = true;
  } else if (!resume_from_.empty() && resume_from_ != "false" && resume_from_ != "False") {
    run_.run.resume_from = resume_from_;
  }
  run_.run.tensorboard = false;
  for (const std::string& name : report_to_) {
    if (name == "tensorboard" || name == "all") run_.run.tensorboard = true;
    if (train::is_tracker(name)) {
      run_.run.trackers.push_back(name);
    } else if (name != "tensorboard" && name != "all" && name != "none") {
      base::log_warning("report_to: {} is not supported; metrics.jsonl has every record", name);
    }
  }
  if (run_.run.overwrite && (run_.run.resume || !run_.run.resume_from.empty()) &&
      settings.is_given("overwrite_output_dir")) {
    base::log_info("ignoring overwrite_output_dir: the run resumes");
  }
}

}  // namespace cuset::cli
