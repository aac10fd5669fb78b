#include "cli/evaluate_table.h"

#include <algorithm>

#include "base/console.h"
#include "cli/verify_table.h"
#include "verify/results/comparison.h"

namespace cuset {
namespace {

std::optional<Estimate> unbiased(const std::map<int, PassRates>& rates, int k) {
  const auto rate = rates.find(k);
  return rate == rates.end() ? std::nullopt : rate->second.unbiased;
}

std::string row_of(const EvaluatedSet& set, size_t width, bool has_three) {
  const Summary& summary = set.summary;
  std::string row = fmt::format("{:<{}}  {:>7}  {:>24}  {:>24}", printable(set.name), width, summary.answers,
                                estimate_text(unbiased(summary.compile_pass, 1)),
                                estimate_text(unbiased(summary.function_pass, 1)));
  if (has_three) row += fmt::format("  {:>24}", estimate_text(unbiased(summary.function_pass, 3)));
  return row +
         fmt::format("  {:>7}\n", summary.mean_tokens ? fmt::format("{:.0f}", *summary.mean_tokens) : "-");
}

std::string describe_gain(const EvaluatedSet& before, const EvaluatedSet& after) {
  const std::optional<Estimate> gain = function_gain(before.verdicts, after.verdicts);
  const std::string pair = fmt::format("{} against {}", printable(after.name), printable(before.name));
  if (!gain) return pair + ": no task in common";
  return fmt::format("{}: {:+.1f} points ({:.1f} to {:.1f}){}", pair, 100 * gain->value,
                     100 * gain->interval.low, 100 * gain->interval.high,
                     is_within_noise(*gain) ? ", within the noise" : "");
}

}  // namespace

std::string render_evaluation(std::span<const EvaluatedSet> sets) {
  size_t width = 0;
  bool has_three = false;
  for (const EvaluatedSet& set : sets) {
    width = std::max(width, columns_of(printable(set.name)));
    has_three = has_three || unbiased(set.summary.function_pass, 3).has_value();
  }
  std::string table = fmt::format("{:<{}}  {:>7}  {:>24}  {:>24}", "", width, "answers",
                                  "compile pass@1 (95 %)", "function pass@1 (95 %)");
  if (has_three) table += fmt::format("  {:>24}", "function pass@3 (95 %)");
  table += fmt::format("  {:>7}\n", "tokens");
  for (const EvaluatedSet& set : sets) table += row_of(set, width, has_three);
  return table;
}

std::vector<std::string> describe_gains(std::span<const EvaluatedSet> sets) {
  std::vector<std::string> gains;
  for (size_t before = 0; before < std::min<size_t>(2, sets.size()); ++before) {
    for (size_t after = before + 1; after < sets.size(); ++after) {
      gains.push_back(describe_gain(sets[before], sets[after]));
    }
  }
  return gains;
}

}  // namespace cuset
