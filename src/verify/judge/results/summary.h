// The figures of a set of verdicts: pass@k for compilation and function, failures by word, fast_p, tokens.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/intervals.h"
#include "base/json.h"
#include "verify/judge/verdict.h"

namespace cuset {

inline constexpr std::array<int, 2> kSummaryKs = {1, 3};

// Nothing where a task has fewer than k answers. A task that has them, but fewer with a verdict, is left out.
struct PassRates {
  std::optional<Estimate>
      unbiased;                   // mean over tasks of 1 - C(n-c,k)/C(n,k), the interval by resampling tasks
  std::optional<double> first_k;  // CUDABench's own: share of tasks with a success among the first k samples
};

struct Summary {
  size_t tasks = 0;
  size_t answers = 0;
  size_t unjudged = 0;                    // unsupported, or the task is faulty: left out of the rates
  std::map<int, PassRates> compile_pass;  // by k: 1, 3
  std::map<int, PassRates> function_pass;
  std::map<std::string, size_t> words;
  // p -> share of answers that are correct and more than p times faster, mean over tasks; empty where none
  // was timed. With one answer a task this is KernelBench's fast_p.
  std::map<double, double> fast;
  std::optional<double> mean_tokens;  // of the answers whose count is known
  double median_seconds = 0;          // of one answer
};

// `verdicts` in any order.
Summary summarise(std::span<const Verdict> verdicts, std::span<const int> ks);
Json json_of(const Summary& summary);

}  // namespace cuset
