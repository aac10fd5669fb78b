#include "cli/commands/verify/verify_table.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "base/console.h"
#include "base/human_readable.h"
#include "base/table_text.h"

namespace cuset::cli {
namespace {

std::string percent(double share) { return fmt::format("{:.1f} %", share * 100); }

std::string percent_or_dash(const std::optional<double>& share) { return share ? percent(*share) : "-"; }

// "3 (2 unsupported, 1 faulty_task)".
std::string describe_unjudged(const judge::Summary& summary) {
  std::vector<std::string> counts;
  for (const auto& [name, count] : summary.outcomes)
    if (!judge::is_verdict(*judge::outcome_named(name))) counts.push_back(fmt::format("{} {}", count, name));
  return fmt::format("{} ({})", summary.unjudged, fmt::join(counts, ", "));
}

std::string render_counts(const judge::Summary& summary) {
  std::string line =
      fmt::format("{} to {}", base::counted(summary.answers, "answer"), base::counted(summary.tasks, "task"));
  if (summary.unjudged > 0) line += fmt::format("; {} without a verdict", describe_unjudged(summary));
  return line + "\n\n";
}

std::string render_rates(const std::string& name, const std::map<int, judge::PassRates>& rates) {
  std::string line = fmt::format("{:<10}", name);
  for (const auto& [k, rate] : rates) {
    line += fmt::format("  {:>24}  {:>8}", estimate_text(rate.unbiased), percent_or_dash(rate.first_k));
  }
  return line + "\n";
}

std::string render_pass(const judge::Summary& summary) {
  std::string header = fmt::format("{:<10}", "");
  for (const auto& [k, rate] : summary.function_pass) {
    header += fmt::format("  {:>24}  {:>8}", fmt::format("pass@{} (95 %)", k), fmt::format("first {}", k));
  }
  std::string lines = header + "\n" + render_rates("compile", summary.compile_pass) +
                      render_rates("function", summary.function_pass);
  if (summary.unjudged == 0) return lines + "\n";
  return lines + render_rates("of all", summary.function_pass_of_all) +
         "of all: function with the answers that have no verdict counted as wrong; the other rates leave them out\n\n";
}

// The first answer of this outcome, in the order of the answers.
const judge::Verdict* first_of(std::span<const judge::Verdict> verdicts, judge::Outcome outcome) {
  const auto found = std::find_if(verdicts.begin(), verdicts.end(), [outcome](const judge::Verdict& verdict) {
    return verdict.outcome == outcome;
  });
  return found == verdicts.end() ? nullptr : &*found;
}

std::string render_words(const judge::Summary& summary, std::span<const judge::Verdict> verdicts,
                         size_t columns) {
  std::vector<std::pair<size_t, judge::Outcome>> outcomes;
  for (const auto& [name, count] : summary.outcomes)
    outcomes.emplace_back(count, *judge::outcome_named(name));
  std::stable_sort(outcomes.begin(), outcomes.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::string out;
  for (const auto& [count, outcome] : outcomes) {
    std::string line =
        fmt::format("{:<14} {:>6} {:>8}", judge::name_of(outcome), count,
                    percent(static_cast<double>(count) / static_cast<double>(summary.answers)));
    const judge::Verdict* example =
        outcome == judge::Outcome::kCorrect ? nullptr : first_of(verdicts, outcome);
    if (example != nullptr)
      line += fmt::format("  {}: {}", answer_name(*example), base::printable(example->explanation));
    out += std::string(base::first_columns(line, columns)) + "\n";
  }
  return out + "\n";
}

std::string render_fast(const judge::Summary& summary) {
  if (summary.fast.empty()) return "";
  std::string line = "correct and more than p times as fast as the reference:";
  for (const auto& [factor, share] : summary.fast)
    line += fmt::format("  p = {:g}: {}", factor, percent(share));
  return line + "\n";
}

}  // namespace

std::string estimate_text(const std::optional<base::Estimate>& estimate) {
  if (!estimate) return "-";
  return fmt::format("{} ({:.1f} to {:.1f})", percent(estimate->value), estimate->interval.low * 100,
                     estimate->interval.high * 100);
}

std::string answer_name(const judge::Verdict& verdict) {
  return fmt::format("{}#{}", base::printable(verdict.task), verdict.sample);
}

std::string render_verification(const judge::Summary& summary, std::span<const judge::Verdict> verdicts,
                                size_t columns) {
  std::string out = render_counts(summary);
  if (summary.answers == 0) return out;
  out += render_pass(summary) + render_words(summary, verdicts, columns) + render_fast(summary);
  if (summary.mean_tokens)
    out += fmt::format("tokens of an answer: {:.0f} on average\n", *summary.mean_tokens);
  return out + fmt::format("one answer: {} (median)\n", base::human_duration(summary.median_seconds));
}

}  // namespace cuset::cli
