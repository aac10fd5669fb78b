#include "train/training_settings.h"

#include <array>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset::train {
namespace {

constexpr std::array<std::string_view, 3> kLossDenominators = {"tokens", "weights", "samples"};

base::Json objective_json(const objective::ObjectiveSettings& objective) {
  return {{"objective", objective::name_of(objective.method)},
          {"tau", objective.tau},
          {"tau_ramp", objective.tau_ramp},
          {"lambda", objective.lambda},
          {"window", objective.window},
          {"confidence_mask", objective.confidence_mask},
          {"cuda_mask", objective.cuda_mask},
          {"sample_weight", objective.sample_weight},
          {"refused_share", objective.refused_share},
          {"conflict", objective.conflict},
          {"entropy_exponent", objective.entropy_exponent},
          {"divergence", objective.divergence}};
}

base::Json lora_json(const model::LoraSettings& lora) {
  return {{"lora_rank", lora.rank},
          {"lora_alpha", lora.alpha},
          {"lora_dropout", lora.dropout},
          {"use_rslora", lora.rank_stabilized},
          {"lora_target", lora.targets}};
}

base::Json optimizer_json(const TrainingSettings& settings) {
  return {{"learning_rate", settings.schedule.learning_rate},
          {"lr_scheduler_type", name_of(settings.schedule.kind)},
          {"min_lr_rate", settings.schedule.min_rate()},
          {"warmup_steps", settings.schedule.warmup_steps},
          {"warmup_ratio", settings.schedule.warmup_ratio},
          {"adam_beta1", settings.optimizer.beta1},
          {"adam_beta2", settings.optimizer.beta2},
          {"adam_epsilon", settings.optimizer.epsilon},
          {"weight_decay", settings.optimizer.weight_decay},
          {"loraplus_lr_ratio", settings.optimizer.lora_plus_ratio},
          {"max_grad_norm", settings.step.max_gradient_norm}};
}

}  // namespace

std::string_view name_of(LossDenominator denominator) {
  return kLossDenominators[static_cast<size_t>(denominator)];
}

LossDenominator loss_denominator_named(std::string_view name) {
  for (size_t i = 0; i < kLossDenominators.size(); ++i) {
    if (kLossDenominators[i] == name) return static_cast<LossDenominator>(i);
  }
  throw base::UsageError("loss_denominator: {} is not one of tokens, weights, samples{}",
                         base::in_quotes(name), base::did_you_mean(name, kLossDenominators));
}

bool EveryNSteps::is_due(int64_t step, int64_t steps_per_epoch) const {
  switch (kind) {
    case Kind::kSteps:
      return step % steps == 0;
    case Kind::kEpochs:
      return step % steps_per_epoch == 0;
    default:
      return false;
  }
}

// What only changes how often something is written, or how a batch is split, is left out.
base::Json lasting_settings(const TrainingSettings& settings) {
  base::Json lasting = {{"finetuning_type", settings.model.full ? "full" : "lora"},
                        {"from_scratch", settings.model.from_scratch},
                        {"normaliser", name_of(settings.step.loss_denominator)},
                        {"num_train_epochs", settings.order.epochs},
                        {"max_steps", settings.order.max_steps},
                        {"seed", settings.seed}};
  if (!settings.model.full) lasting.update(lora_json(settings.model.lora));
  lasting.update(objective_json(settings.step.objective));
  lasting.update(optimizer_json(settings));
  return lasting;
}

}  // namespace cuset::train
