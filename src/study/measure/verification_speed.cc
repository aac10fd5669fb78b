#include "study/measure/verification_speed.h"

#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "base/error.h"
#include "base/files/temporary_folder.h"
#include "base/human_readable.h"
#include "base/machine/machine_share.h"
#include "base/machine/worker_pool.h"
#include "base/progress.h"
#include "base/stats/statistics.h"
#include "execute/run/executor_choice.h"
#include "judge/judge.h"

namespace cuset::study {
namespace {

constexpr uint64_t kSeed = 1;

std::vector<double> seconds_of(const VerifyBenchResult& result) {
  std::vector<double> seconds;
  for (const VerifyBenchResult::Candidate& candidate : result.candidates)
    seconds.push_back(candidate.seconds);
  return seconds;
}

std::vector<const tasks::Task*> tasks_with_reference(const VerifyBenchOptions& options) {
  std::vector<const tasks::Task*> tasks;
  for (const tasks::Task& task : options.tasks) {
    const bool has_room = options.limit == 0 || tasks.size() < options.limit;
    const bool has_reference = task.kind == tasks::AnswerKind::kProgram && !task.oracle.program.empty();
    if (has_room && has_reference) tasks.push_back(&task);
  }
  if (tasks.empty()) {
    throw base::Error("none of the {} tasks has a reference program", options.tasks.size())
        .with_remedy("name tasks of the kind `program` with an oracle that is a program");
  }
  // As verify does: those that take longest first.
  std::ranges::stable_sort(tasks, std::ranges::greater(),
                           [](const tasks::Task* task) { return tasks::data_bytes(*task); });
  return tasks;
}

std::map<std::string_view, size_t> outcomes_of(const VerifyBenchResult& result) {
  std::map<std::string_view, size_t> outcomes;
  for (const VerifyBenchResult::Candidate& candidate : result.candidates)
    ++outcomes[judge::name_of(candidate.outcome)];
  return outcomes;
}

// Of all candidates, those counting 0 that did not come to a step.
std::map<std::string, double> mean_steps_of(const VerifyBenchResult& result) {
  std::map<std::string, double> means;
  for (const VerifyBenchResult::Candidate& candidate : result.candidates)
    for (const auto& [step, seconds] : candidate.step_seconds)
      means[step] += seconds / static_cast<double>(result.candidates.size());
  return means;
}

}  // namespace

double VerifyBenchResult::median_seconds() const { return base::quantile(seconds_of(*this), 0.5); }
double VerifyBenchResult::mean_seconds() const { return base::mean(seconds_of(*this)); }
double VerifyBenchResult::per_minute() const {
  return 60 * static_cast<double>(candidates.size()) / wall_seconds;
}

VerifyBenchResult measure_verification(const VerifyBenchOptions& options) {
  const std::vector<const tasks::Task*> tasks = tasks_with_reference(options);
  const base::TemporaryFolder cache;
  execute::ExecutorSettings settings;
  settings.confinement = options.confinement;
  settings.cache = cache / "objects";
  const execute::ChosenExecutor chosen = execute::choose_executor(options.executor, settings);
  VerifyBenchResult result;
  result.machine = chosen.executor->description();
  result.trials = options.trials;
  result.workers = options.workers > 0 ? options.workers : static_cast<int>(base::usable_processors());
  result.passed_over = options.tasks.size() - tasks.size();

  judge::JudgeSettings judge_settings;
  judge_settings.seed = kSeed;
  judge_settings.trials = options.trials;
  judge::Judge judge(*chosen.executor, judge_settings);
  std::vector<std::optional<VerifyBenchResult::Candidate>> candidates(tasks.size());
  base::Progress progress({.title = "bench verify", .total = tasks.size(), .unit = "answers"});
  const auto start = std::chrono::steady_clock::now();
  const base::WorkerPool pool{.threads = static_cast<size_t>(result.workers), .stops_at_interrupt = true};
  pool.run(tasks.size(), [&](size_t i) {
    try {
      const judge::Verdict verdict = judge.judge(*tasks[i], tasks[i]->oracle.program);
      candidates[i] = {verdict.task,    verdict.outcome,       verdict.explanation,
                       verdict.seconds, verdict.build_seconds, verdict.step_seconds};
    } catch (const judge::JudgeInterrupted&) {
      return;
    }
    judge.forget(*tasks[i]);
    progress.add();
  });
  result.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  progress.finish();
  for (auto& candidate : candidates) {
    if (candidate) result.candidates.push_back(std::move(*candidate));
  }
  return result;
}

std::string render_verification_speed(const VerifyBenchResult& result) {
  std::string out = fmt::format("{}; {} trials, {} at a time, cold cache of builds\n", result.machine,
                                result.trials, result.workers);
  if (result.candidates.empty()) return out;
  out += fmt::format("{} candidates in {}: {:.1f} a minute\n", result.candidates.size(),
                     base::human_duration(result.wall_seconds), result.per_minute());
  out += fmt::format("one candidate: median {:.2f} s, mean {:.2f} s, slowest {:.2f} s\n",
                     result.median_seconds(), result.mean_seconds(), base::quantile(seconds_of(result), 1));
  std::vector<std::string> steps;
  for (const auto& [step, seconds] : mean_steps_of(result))
    steps.push_back(fmt::format("{} {:.2f} s", step, seconds));
  out += fmt::format("of the mean: {}\n", fmt::join(steps, ", "));
  std::vector<std::string> outcomes;
  for (const auto& [outcome, count] : outcomes_of(result))
    outcomes.push_back(fmt::format("{} {}", count, outcome));
  out += fmt::format("verdicts: {}\n", fmt::join(outcomes, ", "));
  if (result.passed_over > 0)
    out += fmt::format("without a reference program, or beyond --limit: {}\n", result.passed_over);
  return out;
}

base::Json to_json(const VerifyBenchResult& result) {
  base::Json candidates = base::Json::array();
  for (const VerifyBenchResult::Candidate& candidate : result.candidates) {
    candidates.push_back({{"task", candidate.task},
                          {"word", judge::name_of(candidate.outcome)},
                          {"explanation", candidate.explanation},
                          {"seconds", candidate.seconds},
                          {"build_seconds", candidate.build_seconds},
                          {"step_seconds", candidate.step_seconds}});
  }
  base::Json out = {{"machine", result.machine},
                    {"trials", result.trials},
                    {"workers", result.workers},
                    {"passed_over", result.passed_over},
                    {"wall_seconds", result.wall_seconds}};
  if (!result.candidates.empty()) {
    out.update({{"median_seconds", result.median_seconds()},
                {"mean_seconds", result.mean_seconds()},
                {"per_minute", result.per_minute()}});
  }
  out["candidates"] = std::move(candidates);
  return out;
}

}  // namespace cuset::study
