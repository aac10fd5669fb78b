#include "cli/commands/evaluate/evaluate_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/console.h"
#include "reinforce/turn_rates.h"

namespace cuset::cli {
namespace {

std::optional<base::Estimate> unbiased(const std::map<int, judge::PassRates>& rates, int k) {
  const auto rate = rates.find(k);
  return rate == rates.end() ? std::nullopt : rate->second.unbiased;
}

// One of the rates that the table has a column for.
struct Column {
  std::string title;
  std::map<int, judge::PassRates> judge::Summary::* rates;
  int k;
};

// pass@3 only where a set has so many samples; "of all" only where answers have no verdict and so count as wrong.
std::vector<Column> columns_of_rates(std::span<const EvaluatedSet> sets) {
  std::vector<Column> columns;
  const bool all_judged = std::all_of(sets.begin(), sets.end(),
                                      [](const EvaluatedSet& set) { return set.summary.unjudged == 0; });
  for (const auto& [title, rates] : {std::pair{"compile", &judge::Summary::compile_pass},
                                     std::pair{"function", &judge::Summary::function_pass},
                                     std::pair{"of all", &judge::Summary::function_pass_of_all}}) {
    if (all_judged && rates == &judge::Summary::function_pass_of_all) continue;
    for (const int k : judge::kSummaryKs) {
      const bool is_there = std::any_of(sets.begin(), sets.end(), [&](const EvaluatedSet& set) {
        return unbiased(set.summary.*rates, k).has_value();
      });
      if (is_there) columns.push_back({fmt::format("{} pass@{}", title, k), rates, k});
    }
  }
  return columns;
}

// "33.3 (20.1 to 45.0)", in percent.
std::string per_cent(const std::optional<base::Estimate>& estimate) {
  if (!estimate) return "-";
  return fmt::format("{:.1f} ({:.1f} to {:.1f})", 100 * estimate->value, 100 * estimate->interval.low,
                     100 * estimate->interval.high);
}

std::string row_of(const EvaluatedSet& set, size_t width, std::span<const Column> columns) {
  const judge::Summary& summary = set.summary;
  std::string row = fmt::format("{:<{}}  {:>7}", base::printable(set.name), width, summary.answers);
  for (const Column& column : columns) {
    row += fmt::format("  {:>22}", per_cent(unbiased(summary.*column.rates, column.k)));
  }
  return row +
         fmt::format("  {:>6}\n", summary.mean_tokens ? fmt::format("{:.0f}", *summary.mean_tokens) : "-");
}

// "+41.2 points (30.1 to 52.0)", with ", within the noise" where it is.
std::string gain_text(const std::optional<base::Estimate>& gain) {
  if (!gain) return "no task in common";
  const double points = std::round(1000 * gain->value) / 10 + 0.0;  // never "-0.0"
  return fmt::format("{:+.1f} points ({:.1f} to {:.1f}){}", points, 100 * gain->interval.low,
                     100 * gain->interval.high, judge::is_within_noise(*gain) ? ", within the noise" : "");
}

std::string describe_gain(const EvaluatedSet& before, const EvaluatedSet& after) {
  return fmt::format("{} against {}: {}", base::printable(after.name), base::printable(before.name),
                     gain_text(judge::function_gain(before.verdicts, after.verdicts)));
}

}  // namespace

std::string render_evaluation(std::span<const EvaluatedSet> sets) {
  size_t width = 0;
  for (const EvaluatedSet& set : sets) width = std::max(width, base::columns_of(base::printable(set.name)));
  const std::vector<Column> columns = columns_of_rates(sets);
  std::string table = fmt::format("{:<{}}  {:>7}", "%", width, "answers");
  for (const Column& column : columns) table += fmt::format("  {:>22}", column.title);
  table += fmt::format("  {:>6}\n", "tokens");
  for (const EvaluatedSet& set : sets) table += row_of(set, width, columns);
  table += "in brackets: 95 % intervals from resampling tasks\n";
  const bool is_of_all_shown =
      std::any_of(sets.begin(), sets.end(), [](const EvaluatedSet& set) { return set.summary.unjudged > 0; });
  return is_of_all_shown
             ? table +
                   "of all: function with the answers that have no verdict (unsupported) counted as wrong\n"
             : table;
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

std::string render_turns(std::span<const reinforce::Conversation> conversations, int64_t turns) {
  std::string table = fmt::format("{:<10}  {:>7}  {:>22}  {:>22}  {:>10}  {:>10}\n", "after turn", "answers",
                                  "compile pass@1", "function pass@1 of all", "tokens", "of prompts");
  for (const reinforce::TurnRates& rates : reinforce::rates_by_turn(conversations, turns)) {
    table += fmt::format("{:<10}  {:>7}  {:>22}  {:>22}  {:>10}  {:>10}\n", rates.turn, rates.answers,
                         per_cent(unbiased(rates.after.compile_pass, 1)),
                         per_cent(unbiased(rates.after.function_pass_of_all, 1)), rates.tokens,
                         rates.prompt_tokens);
  }
  return table + fmt::format("turn {} against turn 1: {}\n", turns,
                             gain_text(reinforce::gain_of_turns(conversations, turns)));
}

}  // namespace cuset::cli
