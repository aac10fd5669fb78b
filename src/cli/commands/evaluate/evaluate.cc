// cuset evaluate: a model's answers to tasks, and the verdicts on them. docs/generate.md.
#include "cli/commands/commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/console.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "benchmarks/answer_reader.h"
#include "benchmarks/benchmark_judge.h"
#include "benchmarks/task_reader.h"
#include "cli/commands/verify/verify_table.h"
#include "cli/framework/command_record.h"
#include "cli/framework/generation_options.h"
#include "cli/framework/judging.h"
#include "judge/results/summary.h"
#include "tasks/answer.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

struct EvaluatedSet {
  std::string name;
  judge::Summary summary;
  std::vector<judge::Verdict> verdicts;
};

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

std::string describe_gain(const EvaluatedSet& before, const EvaluatedSet& after) {
  const std::optional<base::Estimate> gain = judge::function_gain(before.verdicts, after.verdicts);
  const std::string pair =
      fmt::format("{} against {}", base::printable(after.name), base::printable(before.name));
  if (!gain) return pair + ": no task in common";
  const double points = std::round(1000 * gain->value) / 10 + 0.0;  // never "-0.0"
  return fmt::format("{}: {:+.1f} points ({:.1f} to {:.1f}){}", pair, points, 100 * gain->interval.low,
                     100 * gain->interval.high, judge::is_within_noise(*gain) ? ", within the noise" : "");
}

// Several lines: answers; compile and function pass@1, and pass@3 where there are so many samples, with
// intervals; tokens.
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

// What each set gains on the first, and on the second where that is another one: function pass@1, paired by
// task.
//   "sft against base: +41.2 points (30.1 to 52.0)"
//   "cuset against sft: -1.7 points (-6.0 to 2.4), within the noise"
std::vector<std::string> describe_gains(std::span<const EvaluatedSet> sets) {
  std::vector<std::string> gains;
  for (size_t before = 0; before < std::min<size_t>(2, sets.size()); ++before) {
    for (size_t after = before + 1; after < sets.size(); ++after) {
      gains.push_back(describe_gain(sets[before], sets[after]));
    }
  }
  return gains;
}

class EvaluateCommand : public Command {
 public:
  EvaluateCommand() { options_.plan.base = true; }

  std::string_view name() const override { return "evaluate"; }
  std::string_view summary() const override {
    return "Generate answers to kernel tasks and judge them: generate and verify in one folder";
  }
  std::string_view examples() const override {
    return "  cuset evaluate --model M --tasks examples/verify/tasks.jsonl --output runs/evaluate/m\n"
           "  cuset evaluate --model M --adapter runs/sft --adapter runs/cuset --tasks T --output "
           "runs/compare\n"
           "  cuset evaluate --model M --tasks T --output R --samples 5 --temperature 0.8 --executor cpu";
  }

  void declare(Settings& settings) override {
    options_.declare(settings, /*with_prompt_files=*/false);
    settings.add("output", options_.plan.output,
                 "Folder of answers and verdicts; a run that is there resumes");
    settings.require("output");
    judging_.declare(settings, "judge_seed");
    settings.add("json", json_, "Print the summaries as JSON instead of a table");
    settings_ = &settings;
  }

  int run() override {
    if (options_.tasks.empty()) throw base::UsageError("--tasks is missing: the tasks to answer");
    options_.check();
    judging_.check_flags();
    if (options_.plan.output.extension() == ".jsonl")
      throw base::UsageError("output: give a folder, not a file");
    options_.plan.about = about();
    options_.read_prompts();
    const execute::ChosenExecutor chosen = judging_.choose();
    const base::InterruptGuard guard("interrupted: the same command resumes later");
    const generate::GenerationResult generated = generate::run_generation(options_.plan);
    if (generated.is_complete) judge(generated, *chosen.executor);
    return guard.is_requested() ? 128 + guard.signal_number() : 0;
  }

 private:
  base::Json about() const {
    base::Json record = command_record("evaluate", *settings_);
    record["tasks"] = options_.tasks.string();
    return record;
  }

  void judge(const generate::GenerationResult& generated, execute::Executor& executor) const {
    const std::vector<tasks::Task> tasks = benchmarks::read_tasks(options_.tasks).tasks;
    std::vector<EvaluatedSet> evaluated;
    for (const generate::AnswerSet& set : generated.sets) {
      if (base::is_interrupt_requested()) return;
      const judge::VerificationPlan plan = verification_of(set, generated.tasks, tasks, executor);
      const auto judge = benchmarks::make_benchmark_judge(executor, judging_.settings_for(plan.folder));
      std::vector<judge::Verdict> verdicts = judge_with_progress(plan, *judge, "verify " + set.name);
      judge::Summary summary = judge::summarize(verdicts, judge::kSummaryKs);
      if (generated.sets.size() == 1 && !json_) {
        std::cout << render_verification(summary, verdicts, table_columns());
      }
      evaluated.push_back({set.name, std::move(summary), std::move(verdicts)});
    }
    report(generated, evaluated);
  }

  judge::VerificationPlan verification_of(const generate::AnswerSet& set,
                                          const std::vector<std::string>& asked,
                                          const std::vector<tasks::Task>& tasks,
                                          const execute::Executor& executor) const {
    judge::VerificationPlan plan;
    plan.folder = set.file.parent_path();
    plan.answers = benchmarks::read_answers(set.file);
    tasks::match_answers(plan.answers, tasks);
    // The file may hold more, of an earlier call that asked for more.
    const std::set<std::string> wanted(asked.begin(), asked.end());
    std::erase_if(plan.answers, [&](const tasks::Answer& answer) {
      return !wanted.contains(answer.task) || answer.sample >= options_.plan.choice.samples;
    });
    plan.tasks = tasks;
    plan.workers = static_cast<int>(judging_.workers);
    plan.about = options_.plan.about;
    plan.about.update(
        {{"answers", set.file.string()}, {"level", set.level}, {"machine", executor.description()}});
    return plan;
  }

  void report(const generate::GenerationResult& generated, const std::vector<EvaluatedSet>& evaluated) const {
    if (json_) {
      base::Json out = base::Json::object();
      for (const EvaluatedSet& set : evaluated) out[set.name] = judge::json_of(set.summary);
      std::cout << out.dump(2) << "\n";
      return;
    }
    if (evaluated.size() > 1) {
      std::cout << render_evaluation(evaluated) << "\nfunction pass@1, paired by task:\n";
      for (const std::string& gain : describe_gains(evaluated)) std::cout << "  " << gain << "\n";
    }
    for (const generate::AnswerSet& set : generated.sets) {
      std::cout << fmt::format("results: {}\n", set.file.parent_path().string());
    }
    std::cout << fmt::format("one page: cuset report {}\n", options_.plan.output.string());
  }

  GenerationOptions options_;
  Judging judging_;
  bool json_ = false;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_command() { return std::make_unique<EvaluateCommand>(); }

}  // namespace cuset::cli
