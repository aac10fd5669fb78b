// Which of the rows that passed all filters are trained on: one or some candidates of every task, and a balance.
//
//   all        every row
//   concur     ConCuR (Kong et al. 2025): (a) of every task the correct answer with the shortest reasoning, if it is also the fastest;
//              (b) every correct answer that is more than `speedup` times as fast as the reference; (c) correct answers
//              to tasks of a single operator, until these are `single_share` of all
//   random, shortest, longest, fastest
//              `per_task` candidates of every task, by chance, by the length of their reasoning, by their speedup
//
// Rows without a task are no candidates and stay under every rule. Then at most `per_family` rows of a family and
// `count` rows in all stay, drawn by the seed.
//
// The length of reasoning is counted in tokens where every candidate's generator recorded them, else in words. The
// difficulty of a task is the mean over all its judged candidates, right or wrong: easy below one cut, hard above the
// other.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "curate/plan/plan.h"
#include "curate/sources/row.h"

namespace cuset::curate {

struct Candidate {
  uint32_t row = 0;
  std::string task;  // empty: none
  std::string family;
  bool is_correct = false;
  bool is_left = false;  // it passed the filters so far; the others count for difficulty and pass rates
  std::optional<double> speedup;
  int64_t reasoning_tokens = -1;  // -1: not recorded
  int64_t reasoning_words = 0;
};

struct Selection {
  std::map<uint32_t, Rejection> rejected;
  std::map<uint32_t, std::string> difficulty;  // of every row with a task
  // {"rule", "unit", "kept", "of_rule": {...}, "tasks": {"easy", "medium", "hard"}, "pass_rate": {...}, "correlation"}
  base::Json summary;
};

// Throws Error for a rule that needs speedups where none are known.
Selection select_rows(const std::vector<Candidate>& candidates, const SelectOptions& options, uint64_t seed);

// Spearman's rank correlation; nothing for fewer than three pairs or where one side is constant.
std::optional<double> rank_correlation(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace cuset::curate
