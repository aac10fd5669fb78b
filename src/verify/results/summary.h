// The figures of a set of verdicts: pass@k for compilation and function, failures by word, fast_p, tokens.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/intervals.h"
#include "base/json.h"
#include "verify/judge/verdict.h"

namespace cuset {

struct PassRates {
  std::optional<Estimate>
      unbiased;                   // mean over tasks of 1 - C(n-c,k)/C(n,k); nothing where samples are too few
  std::optional<double> first_k;  // CUDABench's own: share of tasks with a success among the first k samples
};

struct Summary {
  size_t tasks = 0;
  size_t answers = 0;
  size_t unjudged = 0;                    // unsupported, or the task is faulty: left out of the rates
  std::map<int, PassRates> compile_pass;  // by k: 1, 3
  std::map<int, PassRates> function_pass;
  std::map<std::string, size_t> words;
  std::map<double, double>
      fast;  // p -> share of tasks correct and more than p times faster; empty where not timed
  std::optional<double> mean_tokens;
  double median_seconds = 0;
};

Summary summarise(std::span<const Verdict> verdicts, std::span<const int> ks);
Json json_of(const Summary& summary);

}  // namespace cuset
