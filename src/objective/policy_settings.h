// The policy loss of a reinforcement run and its constants, under TRL's names. Each member is also the key of that
// name in a configuration file; docs/reinforce.md has the table. Free of LibTorch headers.
#pragma once

#include <cstdint>
#include <string_view>

namespace cuset::objective {

// How token losses are summed up, and which ratio they use (objective/policy_loss.h).
enum class LossType : uint8_t { kGrpo, kBnpo, kDrGrpo, kDapo, kGspo, kRloo, kCispo };

// By what the difference of a reward to its baseline is divided (objective/advantages.h).
enum class ScaleRewards : uint8_t { kGroup, kBatch, kNone };

// Whether a ratio of probabilities belongs to a token or to its whole completion: then that is the geometric mean.
enum class RatioLevel : uint8_t { kToken, kSequence };

// What is done about sampler and trainer that give a token different probabilities.
enum class MismatchCorrection : uint8_t {
  kNone,
  kTokenTruncate,
  kTokenMask,
  kSequenceTruncate,
  kSequenceMask,
  kGeometricTruncate,
  kGeometricMask,
};

// "grpo", "bnpo", "dr_grpo", "dapo", "gspo", "rloo", "cispo"; "group", "batch", "none"; "token", "sequence"; "none",
// "token_truncate", "token_mask", "sequence_truncate", ..., "geometric_mask".
std::string_view name_of(LossType type);
std::string_view name_of(ScaleRewards scale);
std::string_view name_of(RatioLevel level);
std::string_view name_of(MismatchCorrection correction);

// Throw UsageError naming the nearest one.
LossType loss_type_named(std::string_view name);
ScaleRewards scale_rewards_named(std::string_view name);
RatioLevel ratio_level_named(std::string_view name);
MismatchCorrection mismatch_correction_named(std::string_view name);

struct PolicySettings {
  LossType loss_type = LossType::kDapo;
  double epsilon = 0.2;       // ratios below 1 - epsilon are clipped
  double epsilon_high = 0.2;  // ratios above 1 + epsilon_high; CISPO: above epsilon_high itself
  double beta = 0;            // weight of the divergence from the model without its adapter
  RatioLevel importance_sampling_level = RatioLevel::kToken;
  ScaleRewards scale_rewards = ScaleRewards::kGroup;
  bool leave_one_out = false;         // the baseline of a reward is the mean of the others of its group
  int64_t max_completion_length = 0;  // Dr. GRPO's constant
  MismatchCorrection importance_sampling_mode = MismatchCorrection::kSequenceMask;
  double importance_sampling_cap = 3;  // C of the correction
  double importance_sampling_min = 0;  // the lower bound of the correction

  bool needs_reference() const { return beta != 0; }
  // Throws UsageError naming the first key whose value is out of its range.
  void check() const;
};

}  // namespace cuset::objective
