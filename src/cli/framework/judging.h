// What `cuset verify` and `cuset evaluate` share: the keys of how answers are judged, and the judging with
// its progress.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/framework/settings.h"
#include "execute/run/executor_choice.h"
#include "judge/results/verification.h"

namespace cuset::cli {

struct Judging {
  std::string executor = "auto";
  int64_t trials = 5;
  int64_t seed = -1;
  int64_t workers = 0;
  bool lenient = false;
  bool unchecked = false;
  bool timing = false;
  int64_t timing_rounds = 10;
  bool timing_compiled = false;
  bool nvcc = false;
  std::string sandbox = "full";

  // `seed_key` is what the seed is called: another seed may have taken the name.
  void declare(Settings& settings, const std::string& seed_key);
  // Throws UsageError for what is out of range or excludes each other.
  void check_flags() const;
  // Says in the log which one it took, and why.
  execute::ChosenExecutor choose() const;
  // The seed is the given one, that of the run in `folder`, or a fresh one.
  judge::JudgeSettings settings_for(const std::filesystem::path& folder) const;
};

// verify_all with its progress under `title`.
std::vector<judge::Verdict> judge_with_progress(const judge::VerificationPlan& plan, judge::Judge& judge,
                                                const std::string& title);

// verify_shared with its progress under `title`.
std::vector<judge::Verdict> share_with_progress(const judge::VerificationPlan& plan,
                                                const judge::Sharing& sharing, const std::string& title);

// Where explanations are cut: the terminal's width, or a wide one without a terminal.
size_t table_columns();

}  // namespace cuset::cli
