// The metrics of a set of verdicts: pass@k for compilation and function, failures by outcome, fast_p, tokens;
// and the gain of one set over another on the same tasks.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "base/stats/intervals.h"
#include "judge/verdict/verdict.h"

namespace cuset::judge {

inline constexpr std::array<int, 2> kSummaryKs = {1, 3};

// Nothing where a task has fewer than k answers. A task that has them, but fewer with a verdict, is left out.
struct PassRates {
  std::optional<base::Estimate>
      unbiased;                   // mean over tasks of 1 - C(n-c,k)/C(n,k), the interval by resampling tasks
  std::optional<double> first_k;  // CUDABench's own: share of tasks with a success among the first k samples
};

struct Summary {
  size_t tasks = 0;
  size_t answers = 0;
  size_t unjudged = 0;  // unsupported, or the task is faulty: left out of every rate but function_pass_of_all
  std::map<int, PassRates> compile_pass;  // by k: 1, 3
  std::map<int, PassRates> function_pass;
  // The same of all answers: one without a verdict counts as wrong, so that having none is no way out.
  std::map<int, PassRates> function_pass_of_all;
  std::map<std::string, size_t> outcomes;
  // p -> share of answers that are correct and more than p times faster, mean over tasks; empty where none
  // was timed. With one answer a task this is KernelBench's fast_p.
  std::map<double, double> fast;
  std::optional<double> mean_tokens;  // of the answers whose count is known
  double median_seconds = 0;          // of one answer
};

// `verdicts` in any order.
Summary summarize(std::span<const Verdict> verdicts, std::span<const int> ks);
base::Json json_of(const Summary& summary);

// The mean over tasks of `after`'s share of correct answers less that of `before`: the gain in function
// pass@1, with a 95 % interval by resampling tasks. Tasks without a verdict in either set are left out;
// nothing where none remains.
std::optional<base::Estimate> function_gain(std::span<const Verdict> before, std::span<const Verdict> after);

// Whether the interval holds zero, so that neither set is shown to be better.
bool is_within_noise(const base::Estimate& gain);

}  // namespace cuset::judge
