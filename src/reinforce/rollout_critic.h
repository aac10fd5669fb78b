// The critic's part of rewards: lambda * J, J from 0 to 1. It tells answers of a group apart where the judge cannot,
// because none compiles or none is right.
//
//   rules               reinforce/source_rules.h; a correct answer has 1, whatever the rules say
//   endpoint, command   reinforce/critic.h: the mean of a critic's correctness, compilability and speed
//
// An answer without a program has 0 and is not asked about, nor is one without a verdict, or that the judge found to
// be dishonest. A critic that fails neither stops a run nor biases it: where one score of a draw is missing, all its
// answers go without.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "reinforce/critic.h"
#include "reinforce/rollout.h"

namespace cuset::reinforce {

// What a step's questions came to.
struct CriticReport {
  int64_t scored = 0;  // answers with a score
  double score_sum = 0;
  int64_t failures = 0;    // answers without one
  int64_t cache_hits = 0;  // answers whose question had an opinion already
  int64_t groups_without = 0;
  std::string last_failure = {};
  double seconds = 0;

  void write_metrics(base::Json& json) const;
  // "5 of 16 answers have no score (timeout: ...), 2 groups go without a critic's part".
  std::string text() const;
};

class RolloutCritic {
 public:
  // `folder` is the run's. Throws as Critic does.
  RolloutCritic(const CriticSettings& settings, const std::filesystem::path& folder);

  // What the critic adds to the reward of each rollout, all of them judged; nothing where the program was asked to
  // stop. A draw's rollouts may stand in any order.
  std::optional<std::vector<double>> parts(std::span<const Rollout> rollouts);

  // Since the last call.
  CriticReport take_report();

 private:
  struct Questions {
    std::vector<CriticQuestion> questions;
    std::vector<size_t> rollouts;  // that they are about
    int64_t without_program = 0;
  };
  static Questions questions_on(std::span<const Rollout> rollouts);
  std::optional<std::vector<double>> asked_parts(std::span<const Rollout> rollouts);

  CriticSettings settings_;
  std::optional<Critic> critic_;  // of those that are asked
  CriticReport report_;
};

}  // namespace cuset::reinforce
