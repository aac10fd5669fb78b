// The keys of `cuset train --stage grpo`. Names are TRL's where it has one with the same meaning. docs/reinforce.md
// has the table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/framework/judging.h"
#include "cli/framework/settings.h"
#include "reinforce/reinforce_settings.h"

namespace cuset::cli {

class ReinforceKeys {
 public:
  // The targets are members: this must stay where it is while `settings` lives.
  void declare(Settings& settings);

  // Throws UsageError naming the first of these keys that was given: another stage was chosen.
  void refuse_given(const Settings& settings) const;

  // The run that the keys describe, after Settings::apply(). `training` has what both stages share. Throws
  // UsageError naming key and value for what is out of range or contradicts another key.
  reinforce::ReinforceSettings resolve(const Settings& settings, const train::TrainingSettings& training);

  const Judging& judging() const { return judging_; }

 private:
  void declare_loop(Settings& settings);
  void declare_policy(Settings& settings);
  void declare_sampling(Settings& settings);
  void declare_reward(Settings& settings);
  void declare_critic(Settings& settings);
  void resolve_policy(const Settings& settings);
  void resolve_critic(const Settings& settings);

  reinforce::ReinforceSettings run_;  // some keys go straight into it
  Judging judging_;
  std::string adapter_, curriculum_ = "random", loss_type_ = "dapo", scale_rewards_ = "group",
                        level_ = "token";
  std::string correction_ = "sequence_mask", reward_ = "composite", critic_ = "none";
  bool corrects_ = true;
};

}  // namespace cuset::cli
