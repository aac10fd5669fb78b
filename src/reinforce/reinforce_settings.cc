#include "reinforce/reinforce_settings.h"

#include "base/error.h"

namespace cuset::reinforce {
namespace {

void check_count(std::string_view key, int64_t value, int64_t least) {
  if (value < least) throw base::UsageError("{} is {}, but must be at least {}", key, value, least);
}

base::Json policy_json(const objective::PolicySettings& policy) {
  return {{"loss_type", objective::name_of(policy.loss_type)},
          {"epsilon", policy.epsilon},
          {"epsilon_high", policy.epsilon_high},
          {"beta", policy.beta},
          {"importance_sampling_level", objective::name_of(policy.importance_sampling_level)},
          {"scale_rewards", objective::name_of(policy.scale_rewards)},
          {"leave_one_out", policy.leave_one_out},
          {"importance_sampling_mode", objective::name_of(policy.importance_sampling_mode)},
          {"importance_sampling_cap", policy.importance_sampling_cap},
          {"importance_sampling_min", policy.importance_sampling_min}};
}

}  // namespace

void ReinforceSettings::check() const {
  policy.check();
  reward.check();
  critic.check();
  generation.sampling.check();
  check_count("num_generations", num_generations, 2);
  check_count("prompts_per_step", prompts_per_step, 1);
  check_count("num_iterations", num_iterations, 1);
  check_count("resample_rounds", resample_rounds, 0);
  check_count("num_turns", num_turns, 1);
  if (!(turn_discount >= 0 && turn_discount <= 1)) {
    throw base::UsageError("turn_discount: {} is out of range", turn_discount)
        .with_remedy("it must be from 0 to 1");
  }
  check_count("max_completion_length", generation.max_new_tokens, 1);
  check_count("rollout_batch_size", slots, 1);
  if (pass_rate_range.least > pass_rate_range.most) {
    throw base::UsageError("min_pass_rate is {}, but max_pass_rate is {}: no prompt is left",
                           pass_rate_range.least, pass_rate_range.most);
  }
  if (first_pass == PromptOrder::FirstPass::kAsGiven && pass_rates.empty()) {
    throw base::UsageError("curriculum: easy_first needs pass_rates")
        .with_remedy("give the folder of a `cuset evaluate` or `cuset verify` run on these tasks");
  }
  if (generation.sampling.temperature == 0) {
    throw base::UsageError("temperature is 0: all answers of a group would be the same")
        .with_remedy("give a temperature like 1.0");
  }
  if (training.model.full) {
    throw base::UsageError("stage: grpo needs finetuning_type: lora")
        .with_remedy("sampler and reference share the model's frozen weights");
  }
  if (training.model.lora.dropout > 0) {
    throw base::UsageError("lora_dropout is {}, but stage: grpo needs 0", training.model.lora.dropout)
        .with_remedy("with dropout the policy that learns is another than the one that answered");
  }
}

base::Json lasting_settings(const ReinforceSettings& settings) {
  base::Json lasting = train::lasting_settings(settings.training);
  const base::Json sampling = generate::json_of(settings.generation.sampling);
  lasting.update(policy_json(settings.policy));
  lasting.update(json_of(settings.reward));
  lasting.update(json_of(settings.critic));
  lasting.update(sampling);
  lasting.update(
      {{"stage", "grpo"},
       {"level", settings.choice.level},
       {"system", settings.choice.system},
       {"limit", settings.choice.limit},
       {"curriculum", settings.first_pass == PromptOrder::FirstPass::kAsGiven ? "easy_first" : "random"},
       {"prompts_per_step", settings.prompts_per_step},
       {"num_generations", settings.num_generations},
       {"num_iterations", settings.num_iterations},
       {"resample_rounds", settings.resample_rounds},
       {"num_turns", settings.num_turns},
       {"turn_discount", settings.turn_discount},
       {"max_completion_length", settings.generation.max_new_tokens},
       {"mask_truncated_completions", settings.mask_truncated_completions},
       {"trials", settings.judge.trials},
       {"timing", settings.judge.timing}});
  return lasting;
}

}  // namespace cuset::reinforce
