// What an answer earns, from its verdict. Two forms:
//
//   composite   alpha [compiled] + beta [correct] + gamma min(speedup, r_max) [correct]
//               + dense parts: a weight each for a kernel that ran, the fraction of outputs that are right, and the
//               share of trials that are correct
//   steps       -1 not correct, 1 correct, 2 also at least 5 % faster than the reference, 3 also 5 % faster than the
//               reference under torch.compile (where that was timed)
//
// Both have lambda * score added where there is a critic (reinforce/rollout_critic.h).
//
// Whatever depends on correctness is 0 unless the judge says `correct`. An answer that tries to pass without solving
// the task (hack, rejected) earns nothing, and one whose kernels did not do the work (no_kernel, host_work) earns
// nothing for its outputs. Answers without a verdict (unsupported, faulty_task) have no reward.
//
// With `soft_punish_cache` c above 0, completions longer than L - c of L tokens lose up to 1 (DAPO's overlong
// shaping): ((L - c) - length) / c, and 1 where they were cut.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/json/json.h"
#include "judge/verdict/verdict.h"

namespace cuset::reinforce {

enum class RewardForm : uint8_t { kComposite, kSteps };

// "composite", "steps".
std::string_view name_of(RewardForm form);
// Throws UsageError naming the nearest one.
RewardForm reward_form_named(std::string_view name);

struct RewardSettings {
  RewardForm form = RewardForm::kComposite;
  double compiled = 0.2;   // alpha
  double correct = 1;      // beta
  double speedup = 0.5;    // gamma; only where answers are timed
  double max_speedup = 3;  // r_max
  double launched = 0;     // dense parts
  double fraction_right = 0;
  double trials = 0;
  int64_t soft_punish_cache = 0;

  // Throws UsageError naming the first key whose value is out of its range.
  void check() const;
};

base::Json json_of(const RewardSettings& settings);

// The length of a completion, and what it may be.
struct CompletionLength {
  int64_t tokens = 0;
  int64_t most = 0;
  bool is_truncated = false;
};

struct Reward {
  double value = 0;  // not a number: there is no verdict
  // What each part adds.
  double compiled = 0;
  double correct = 0;
  double speedup = 0;
  double launched = 0;
  double fraction_right = 0;
  double trials = 0;
  double critic = 0;
  double steps = 0;
  double overlong = 0;

  // {"value", and the parts that are not 0}; value is null where it is not a number.
  base::Json to_json() const;
};

// `critic` is what a critic adds, its weight times its score.
Reward reward_of(const RewardSettings& settings, const judge::Verdict& verdict,
                 const CompletionLength& length, double critic = 0);

// The outcome of an answer that tries to pass without solving the task: it earns nothing, whatever a critic says.
bool is_dishonest(judge::Outcome outcome);

}  // namespace cuset::reinforce
