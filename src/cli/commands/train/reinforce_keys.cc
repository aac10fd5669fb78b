#include "cli/commands/train/reinforce_keys.h"

#include "base/error.h"
#include "cli/framework/model_path.h"
#include "cli/framework/setting_limits.h"

namespace cuset::cli {
namespace {

// All of them, for refusing them in other stages.
constexpr const char* kReinforceKeys[] = {"tasks",
                                          "adapter",
                                          "level",
                                          "system",
                                          "only",
                                          "pass_rates",
                                          "min_pass_rate",
                                          "max_pass_rate",
                                          "curriculum",
                                          "prompts_per_step",
                                          "num_generations",
                                          "num_iterations",
                                          "resample_rounds",
                                          "num_turns",
                                          "turn_discount",
                                          "mask_truncated_completions",
                                          "loss_type",
                                          "beta",
                                          "epsilon",
                                          "epsilon_high",
                                          "scale_rewards",
                                          "leave_one_out",
                                          "importance_sampling_level",
                                          "importance_sampling_correction",
                                          "importance_sampling_mode",
                                          "importance_sampling_cap",
                                          "importance_sampling_min",
                                          "max_completion_length",
                                          "temperature",
                                          "top_p",
                                          "top_k",
                                          "min_p",
                                          "rollout_batch_size",
                                          "reward",
                                          "reward_compiled",
                                          "reward_correct",
                                          "reward_speedup",
                                          "max_speedup",
                                          "reward_launched",
                                          "reward_fraction_right",
                                          "reward_trials",
                                          "critic",
                                          "critic_weight",
                                          "critic_url",
                                          "critic_model",
                                          "critic_key",
                                          "critic_command",
                                          "critic_parallel",
                                          "critic_retries",
                                          "critic_timeout",
                                          "soft_punish_cache",
                                          "executor",
                                          "trials",
                                          "judge_seed",
                                          "workers",
                                          "lenient",
                                          "unchecked",
                                          "timing",
                                          "timing_rounds",
                                          "timing_compiled",
                                          "nvcc",
                                          "sandbox"};

// Keys of supervised fine-tuning that mean nothing here.
constexpr const char* kSupervisedKeys[] = {"data",
                                           "eval_data",
                                           "val_size",
                                           "objective",
                                           "over_length",
                                           "packing",
                                           "neat_packing",
                                           "batching",
                                           "eval_strategy",
                                           "eval_steps",
                                           "early_stopping_steps",
                                           "load_best_model_at_end",
                                           "loss_denominator",
                                           "gradient_accumulation_steps"};

}  // namespace

void ReinforceKeys::declare(Settings& settings) {
  run_.generation.sampling.temperature = 1;
  run_.generation.max_new_tokens = 1024;
  declare_loop(settings);
  declare_policy(settings);
  declare_sampling(settings);
  declare_reward(settings);
  declare_critic(settings);
  judging_.declare(settings, "judge_seed");
}

void ReinforceKeys::declare_loop(Settings& settings) {
  settings.add("tasks", run_.tasks,
               "stage grpo: tasks, a file of cuset gym, CUDABench, KernelBench, ParEval or compute-eval");
  settings.add("adapter", adapter_, "stage grpo: adapter folder to start from");
  settings.add_alias("adapter_name_or_path", "adapter");
  settings.add("level", run_.choice.level,
               "stage grpo: level of the tasks' prompts, 1 has most detail; all: every level");
  settings.add("system", run_.choice.system, "stage grpo: system message before every prompt");
  settings.add("only", run_.choice.only, "stage grpo: use only the tasks with these ids");
  settings.add(
      "pass_rates", run_.pass_rates,
      "stage grpo: folder of cuset evaluate or verify with verdicts on these tasks; tasks outside of the "
      "range below are left out");
  settings.add("min_pass_rate", run_.pass_rate_range.least,
               "stage grpo: smallest share of correct answers in pass_rates");
  settings.add("max_pass_rate", run_.pass_rate_range.most,
               "stage grpo: largest share of correct answers in pass_rates");
  settings.add_choice("curriculum", curriculum_, {"random", "easy_first"},
                      "stage grpo: order of the prompts in the first pass; easy_first: by falling pass rate");
  settings.add("prompts_per_step", run_.prompts_per_step, "stage grpo: number of prompts of a step");
  settings.add("num_generations", run_.num_generations, "stage grpo: number of answers to each prompt");
  settings.add("num_iterations", run_.num_iterations,
               "stage grpo: number of updates with the answers of a step");
  settings.add("resample_rounds", run_.resample_rounds,
               "stage grpo: how often groups without spread are replaced by further prompts in a step");
  settings.add("num_turns", run_.num_turns,
               "stage grpo: number of turns of a conversation at most; an answer that is not correct gets "
               "feedback, and the model answers again");
  settings.add_alias("turns", "num_turns");
  settings.add("turn_discount", run_.turn_discount,
               "stage grpo: weight of the next turn's return in the return of a turn");
  settings.add("mask_truncated_completions", run_.mask_truncated_completions,
               "stage grpo: leave completions that reached max_completion_length out of the loss");
}

void ReinforceKeys::declare_policy(Settings& settings) {
  objective::PolicySettings& policy = run_.policy;
  settings.add_choice("loss_type", loss_type_, {"grpo", "bnpo", "dr_grpo", "dapo", "gspo", "rloo", "cispo"},
                      "stage grpo: policy loss");
  settings.add("beta", policy.beta,
               "stage grpo: weight of the divergence from the model without its adapter");
  settings.add("epsilon", policy.epsilon, "stage grpo: probability ratios are clipped below 1 - epsilon");
  settings.add("epsilon_high", policy.epsilon_high,
               "stage grpo: ratios are clipped above 1 + epsilon_high (as epsilon unless given; cispo: above "
               "epsilon_high itself, 5 unless given)");
  settings.add_choice("scale_rewards", scale_rewards_, {"group", "batch", "none"},
                      "stage grpo: standard deviation that rewards are divided by (none unless given for "
                      "rloo)");
  settings.add("leave_one_out", run_.policy.leave_one_out,
               "stage grpo: compare a reward with the mean of the others of its group (always for rloo)");
  settings.add_choice("importance_sampling_level", level_, {"token", "sequence"},
                      "stage grpo: ratios of tokens or of whole completions");
  settings.add("importance_sampling_correction", corrects_,
               "stage grpo: correct for different probabilities of sampler and trainer");
  settings.add_alias("vllm_importance_sampling_correction", "importance_sampling_correction");
  settings.add_choice("importance_sampling_mode", correction_,
                      {"token_truncate", "token_mask", "sequence_truncate", "sequence_mask",
                       "geometric_truncate", "geometric_mask"},
                      "stage grpo: how they are corrected");
  settings.add_alias("vllm_importance_sampling_mode", "importance_sampling_mode");
  settings.add("importance_sampling_cap", policy.importance_sampling_cap,
               "stage grpo: largest ratio of the correction");
  settings.add_alias("vllm_importance_sampling_cap", "importance_sampling_cap");
  settings.add("importance_sampling_min", policy.importance_sampling_min,
               "stage grpo: smallest ratio of the correction");
}

void ReinforceKeys::declare_sampling(Settings& settings) {
  generate::SamplingSettings& sampling = run_.generation.sampling;
  settings.add("max_completion_length", run_.generation.max_new_tokens,
               "stage grpo: maximum number of tokens of an answer");
  settings.add("temperature", sampling.temperature, "stage grpo: sampling temperature");
  settings.add("top_p", sampling.top_p,
               "stage grpo: sample from the most probable tokens whose probabilities add up to this");
  settings.add("top_k", sampling.top_k, "stage grpo: sample from the k most probable tokens (0: all)");
  settings.add("min_p", sampling.min_p,
               "stage grpo: sample from tokens at least this many times as probable as the best one");
  settings.add("rollout_batch_size", run_.slots, "stage grpo: number of answers sampled at the same time");
}

void ReinforceKeys::declare_reward(Settings& settings) {
  reinforce::RewardSettings& reward = run_.reward;
  settings.add_choice("reward", reward_, {"composite", "steps"},
                      "stage grpo: sum of the parts below, or -1, 1, 2 or 3 by correctness and speed");
  settings.add("reward_compiled", reward.compiled, "stage grpo: reward for an answer that compiles");
  settings.add("reward_correct", reward.correct, "stage grpo: reward for a correct answer");
  settings.add("reward_speedup", reward.speedup,
               "stage grpo: reward for each time that a correct answer is as fast as the reference (with "
               "timing)");
  settings.add("max_speedup", reward.max_speedup, "stage grpo: speedup that is rewarded at most");
  settings.add("reward_launched", reward.launched, "stage grpo: reward for a kernel that ran");
  settings.add("reward_fraction_right", reward.fraction_right,
               "stage grpo: reward for outputs, times the fraction of them that is right");
  settings.add("reward_trials", reward.trials, "stage grpo: reward for the share of trials that are correct");
  settings.add("soft_punish_cache", reward.soft_punish_cache,
               "stage grpo: number of tokens before max_completion_length over which up to 1 is lost (0: "
               "none)");
}

void ReinforceKeys::declare_critic(Settings& settings) {
  reinforce::CriticSettings& critic = run_.critic;
  settings.add_choice(
      "critic", critic_, {"none", "rules", "endpoint", "command"},
      "stage grpo: who scores answers by reading them (rules: about the source text; endpoint "
      "and command unless given with critic_url and critic_command)");
  settings.add("critic_weight", critic.weight,
               "stage grpo: reward for an answer that the critic finds perfect");
  settings.add("critic_url", critic.url,
               "stage grpo: OpenAI-compatible endpoint of the critic, like https://host/v1");
  settings.add("critic_model", critic.model, "stage grpo: name of the critic's model at its endpoint");
  settings.add("critic_key", critic.key,
               "stage grpo: name of the environment variable that holds the endpoint's key");
  settings.add("critic_command", critic.command,
               "stage grpo: shell command that reads a question as JSON and writes scores as JSON");
  settings.add("critic_parallel", critic.parallel, "stage grpo: number of questions to the critic at a time");
  settings.add("critic_retries", critic.retries,
               "stage grpo: how often a question to the critic that fails is repeated");
  settings.add("critic_timeout", critic.timeout, "stage grpo: seconds that the critic has for a question");
}

void ReinforceKeys::refuse_given(const Settings& settings) const {
  for (const char* key : kReinforceKeys) {
    if (settings.is_given(key))
      throw base::UsageError("{} is a key of stage: grpo", key).with_remedy("give --stage grpo");
  }
}

void ReinforceKeys::resolve_policy(const Settings& settings) {
  objective::PolicySettings& policy = run_.policy;
  policy.loss_type = objective::loss_type_named(loss_type_);
  policy.scale_rewards = objective::scale_rewards_named(scale_rewards_);
  policy.importance_sampling_level = objective::ratio_level_named(level_);
  policy.importance_sampling_mode =
      corrects_ ? objective::mismatch_correction_named(correction_) : objective::MismatchCorrection::kNone;
  if (!settings.is_given("epsilon_high")) {
    policy.epsilon_high = policy.loss_type == objective::LossType::kCispo ? 5 : policy.epsilon;
  }
  if (policy.loss_type != objective::LossType::kRloo) return;
  if (!settings.is_given("scale_rewards")) policy.scale_rewards = objective::ScaleRewards::kNone;
  policy.leave_one_out = true;
}

void ReinforceKeys::resolve_critic(const Settings& settings) {
  if (!settings.is_given("critic")) {
    if (!run_.critic.command.empty()) critic_ = "command";
    if (!run_.critic.url.empty()) critic_ = "endpoint";
  }
  run_.critic.kind = reinforce::critic_kind_named(critic_);
  while (run_.critic.url.ends_with('/')) run_.critic.url.pop_back();
  if (settings.is_given("critic_weight") && run_.critic.kind == reinforce::CriticKind::kNone) {
    throw base::UsageError("critic_weight is given, but there is no critic")
        .with_remedy("choose one with critic: rules, endpoint or command");
  }
}

reinforce::ReinforceSettings ReinforceKeys::resolve(const Settings& settings,
                                                    const train::TrainingSettings& training) {
  for (const char* key : kSupervisedKeys) {
    if (!settings.is_given(key)) continue;
    throw base::UsageError("{} is not a key of stage: grpo", key)
        .with_remedy("{}",
                     std::string_view(key) == "data" ? "it learns from tasks: --tasks FILE" : "remove it");
  }
  if (!settings.is_given("tasks")) {
    throw base::UsageError("tasks is missing: the file of tasks that stage: grpo learns from")
        .with_remedy("`cuset gym tasks` makes one");
  }
  judging_.check_flags();
  run_.training = training;
  train::TrainingSettings& shared = run_.training;
  if (!settings.is_given("learning_rate")) shared.schedule.learning_rate = 1e-5;
  if (!settings.is_given("lr_scheduler_type")) shared.schedule.kind = train::ScheduleKind::kLinear;
  if (!settings.is_given("lora_dropout")) shared.model.lora.dropout = 0;
  if (!settings.is_given("per_device_train_batch_size")) shared.order.batch = 0;
  if (!settings.is_given("save_steps") && !settings.is_given("save_strategy")) {
    shared.saving = {train::EveryNSteps::Kind::kSteps, 10};
  }
  if (!adapter_.empty()) {
    require_adapter_folder(adapter_);
    for (const char* key : {"lora_rank", "lora_alpha", "lora_target", "use_rslora"}) {
      if (settings.is_given(key))
        throw base::UsageError("adapter and {} exclude each other: the adapter has its own", key);
    }
    shared.model.adapter = adapter_;
  }
  resolve_policy(settings);
  run_.choice.limit = static_cast<int64_t>(shared.data.max_rows);
  run_.workers = judging_.workers;
  if (curriculum_ == "easy_first") run_.first_pass = reinforce::PromptOrder::FirstPass::kAsGiven;
  for (const char* key : {"min_pass_rate", "max_pass_rate"}) {
    if (settings.is_given(key) && run_.pass_rates.empty())
      throw base::UsageError("{} needs pass_rates", key)
          .with_remedy("give the folder of a `cuset evaluate` or `cuset verify` run on these tasks");
  }
  resolve_critic(settings);
  run_.reward.form = reinforce::reward_form_named(reward_);
  if (judging_.seed < 0) judging_.seed = static_cast<int64_t>(shared.seed);
  run_.judge = judging_.settings_for(shared.run.path);
  run_.check();
  return run_;
}

}  // namespace cuset::cli
