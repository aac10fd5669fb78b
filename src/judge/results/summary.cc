#include "judge/results/summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "base/stats/pass_at_k.h"
#include "base/stats/random.h"
#include "base/stats/statistics.h"

namespace cuset::judge {
namespace {

constexpr double kFastFactors[] = {0, 0.5, 0.8, 1, 1.5, 2};

// The verdicts of every task, by number of the sample.
using VerdictsByTask = std::map<std::string, std::vector<const Verdict*>>;
using Test = std::function<bool(const Verdict&)>;

// A rate: which answers count, and which of them are successes.
struct Rate {
  Test counts;
  Test success;
};

bool is_judged(const Verdict& verdict) { return is_verdict(verdict.outcome); }
bool is_any(const Verdict&) { return true; }
// An answer that was refused before a compiler saw it (no kernel to compile, a hack) has an outcome beyond those of
// compilers, and yet did not compile.
bool is_compiled(const Verdict& verdict) { return compiled(verdict.outcome) && verdict.reward.compiled > 0; }
bool is_correct(const Verdict& verdict) { return verdict.outcome == Outcome::kCorrect; }

VerdictsByTask grouped(std::span<const Verdict> verdicts) {
  VerdictsByTask tasks;
  for (const Verdict& verdict : verdicts) tasks[verdict.task].push_back(&verdict);
  for (auto& [task, of_task] : tasks) {
    std::stable_sort(of_task.begin(), of_task.end(),
                     [](const Verdict* a, const Verdict* b) { return a->sample < b->sample; });
  }
  return tasks;
}

base::TaskTally tally_of(std::span<const Verdict* const> verdicts, const Rate& rate) {
  base::TaskTally tally;
  for (const Verdict* verdict : verdicts) {
    if (!rate.counts(*verdict)) continue;
    ++tally.samples;
    tally.correct += rate.success(*verdict) ? 1 : 0;
  }
  return tally;
}

std::optional<base::Estimate> unbiased_rate(const VerdictsByTask& tasks, size_t k, const Rate& rate) {
  std::vector<base::TaskTally> tallies;
  for (const auto& [task, verdicts] : tasks) {
    const base::TaskTally tally = tally_of(verdicts, rate);
    if (tally.samples >= k) tallies.push_back(tally);
  }
  if (tallies.empty()) return std::nullopt;
  return base::mean_pass_at_k(tallies, k, base::RandomStream(0, "verification summary"));
}

std::optional<double> first_k_rate(const VerdictsByTask& tasks, size_t k, const Rate& rate) {
  size_t judged = 0;
  size_t passed = 0;
  for (const auto& [task, verdicts] : tasks) {
    const base::TaskTally tally = tally_of(std::span(verdicts).first(k), rate);
    judged += tally.samples > 0 ? 1 : 0;
    passed += tally.correct > 0 ? 1 : 0;
  }
  if (judged == 0) return std::nullopt;
  return static_cast<double>(passed) / static_cast<double>(judged);
}

PassRates rates_of(const VerdictsByTask& tasks, int wanted, const Rate& rate) {
  const auto k = static_cast<size_t>(wanted);
  const bool enough =
      std::all_of(tasks.begin(), tasks.end(), [k](const auto& task) { return task.second.size() >= k; });
  if (!enough) return {};
  return {unbiased_rate(tasks, k, rate), first_k_rate(tasks, k, rate)};
}

std::map<double, double> fast_shares(const VerdictsByTask& tasks) {
  std::map<double, double> shares;
  for (const double factor : kFastFactors) {
    const auto is_fast = [factor](const Verdict& verdict) {
      return verdict.outcome == Outcome::kCorrect &&
             (factor == 0 || (verdict.timing && verdict.timing->speedup > factor));
    };
    if (const auto rate = unbiased_rate(tasks, 1, {is_judged, is_fast})) shares[factor] = rate->value;
  }
  return shares;
}

base::Json json_of(const std::map<int, PassRates>& rates) {
  base::Json out = base::Json::object();
  for (const auto& [k, rate] : rates) {
    base::Json entry = {{"unbiased", nullptr}, {"first_k", nullptr}};
    if (rate.unbiased) {
      entry["unbiased"] = {{"value", rate.unbiased->value},
                           {"low", rate.unbiased->interval.low},
                           {"high", rate.unbiased->interval.high}};
    }
    if (rate.first_k) entry["first_k"] = *rate.first_k;
    out[std::to_string(k)] = std::move(entry);
  }
  return out;
}

base::TalliesByTask tallies_of(std::span<const Verdict> verdicts) {
  base::TalliesByTask tallies;
  for (const Verdict& verdict : verdicts) {
    if (!is_verdict(verdict.outcome)) continue;
    base::TaskTally& tally = tallies[verdict.task];
    ++tally.samples;
    tally.correct += verdict.outcome == Outcome::kCorrect ? 1 : 0;
  }
  return tallies;
}

}  // namespace

Summary summarize(std::span<const Verdict> verdicts, std::span<const int> ks) {
  const VerdictsByTask tasks = grouped(verdicts);
  Summary summary;
  summary.tasks = tasks.size();
  summary.answers = verdicts.size();
  std::vector<double> tokens;
  std::vector<double> seconds;
  bool is_timed = false;
  for (const Verdict& verdict : verdicts) {
    ++summary.outcomes[std::string(name_of(verdict.outcome))];
    summary.unjudged += is_verdict(verdict.outcome) ? 0 : 1;
    if (verdict.tokens >= 0) tokens.push_back(static_cast<double>(verdict.tokens));
    seconds.push_back(verdict.seconds);
    is_timed = is_timed || verdict.timing.has_value();
  }
  for (const int k : ks) {
    summary.compile_pass[k] = rates_of(tasks, k, {is_judged, is_compiled});
    summary.function_pass[k] = rates_of(tasks, k, {is_judged, is_correct});
    summary.function_pass_of_all[k] = rates_of(tasks, k, {is_any, is_correct});
  }
  if (is_timed) summary.fast = fast_shares(tasks);
  if (!tokens.empty()) summary.mean_tokens = base::mean(tokens);
  if (!seconds.empty()) summary.median_seconds = base::quantile(seconds, 0.5);
  return summary;
}

base::Json json_of(const Summary& summary) {
  base::Json outcomes = base::Json::object();
  for (const auto& [outcome, count] : summary.outcomes) outcomes[outcome] = count;
  base::Json fast = base::Json::object();
  for (const auto& [factor, share] : summary.fast) fast[fmt::format("{:g}", factor)] = share;
  return {{"tasks", summary.tasks},
          {"answers", summary.answers},
          {"unjudged", summary.unjudged},
          {"compile_pass", json_of(summary.compile_pass)},
          {"function_pass", json_of(summary.function_pass)},
          {"function_pass_of_all", json_of(summary.function_pass_of_all)},
          {"words", std::move(outcomes)},
          {"fast", std::move(fast)},
          {"mean_tokens", summary.mean_tokens ? base::Json(*summary.mean_tokens) : base::Json(nullptr)},
          {"median_seconds", summary.median_seconds}};
}

std::optional<base::Estimate> function_gain(std::span<const Verdict> before, std::span<const Verdict> after) {
  const std::optional<base::PassGain> gain = base::pass_gain(tallies_of(before), tallies_of(after));
  return gain ? std::optional(gain->estimate) : std::nullopt;
}

bool is_within_noise(const base::Estimate& gain) { return gain.interval.low <= 0 && gain.interval.high >= 0; }

}  // namespace cuset::judge
