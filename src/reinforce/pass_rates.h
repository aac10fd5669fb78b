// How often tasks were solved before, by the verdicts of cuset verify or cuset evaluate: a task that the model always or
// never solves gives groups without spread, and learns from easy to hard what a random order does not.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "reinforce/rollout.h"

namespace cuset::reinforce {

// The share of correct answers by task id. Answers that could not be judged do not count. `path` is verdicts.jsonl or a
// folder that holds one. Throws Error where there is none, or a line is not a verdict.
std::map<std::string, double> read_pass_rates(const std::filesystem::path& path);

struct PassRateRange {
  double least = 0.01;
  double most = 0.99;
};

struct PromptsByPassRate {
  std::vector<TaskPrompt> prompts;  // those within the range, the easiest first
  size_t easier = 0;                // left out
  size_t harder = 0;
  size_t unknown = 0;
};

PromptsByPassRate choose_by_pass_rate(std::vector<TaskPrompt> prompts,
                                      const std::map<std::string, double>& rates, PassRateRange range);

}  // namespace cuset::reinforce
