#include "cli/framework/judging.h"

#include <random>

#include "base/console.h"
#include "base/error.h"
#include "base/log.h"
#include "base/progress.h"
#include "cli/framework/setting_limits.h"
#include "judge/results/plan_record.h"

namespace cuset::cli {
namespace {

constexpr size_t kColumnsWithoutTerminal = 160;

// Small enough for every reader of JSON.
uint64_t fresh_seed() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

base::ProgressOptions progress_under(const std::string& title) {
  return {.title = title,
          .unit = "answers",
          .shorter =
              "more workers, fewer trials, or fewer tasks; what is judged stays judged when you interrupt"};
}

}  // namespace

void Judging::declare(Settings& settings, const std::string& seed_key) {
  settings.add_choice("executor", executor, {"auto", "cpu", "gpu"}, "Executor that answers run on");
  settings.add("trials", trials, "Number of fresh inputs that every answer is tested on");
  settings.add(seed_key, seed, "Random seed of the inputs (-1: the seed of the resumed run, or a new one)");
  settings.add("workers", workers, "Number of answers judged at the same time (0: one per core)");
  settings.add(
      "lenient", lenient,
      "List what the CPU executor's checks find (wrong accesses, races, barriers) without deciding by it");
  settings.add("unchecked", unchecked,
               "Leave out the CPU executor's checks: quicker; on a GPU, no clang runs beside nvcc");
  settings.add("timing", timing, "Time correct answers against the reference (GPU only)");
  settings.add("timing_rounds", timing_rounds,
               "With timing: number of runs of the answer and of the reference, each in a new process");
  settings.add("timing_compiled", timing_compiled,
               "With timing: also time KernelBench's references under torch.compile");
  settings.add("nvcc", nvcc, "CPU executor: also let nvcc decide whether an answer compiles");
  settings.add_choice("sandbox", sandbox, {"full", "limits"},
                      "Isolate answers fully, or limit only time and memory where the system forbids more");
}

void Judging::check_flags() const {
  within("trials", trials, 1, 1000);
  within("timing_rounds", timing_rounds, 1, 1000);
  within("workers", workers, 0, 1024);
  at_least("seed", seed, -1);
  if (lenient && unchecked)
    throw base::UsageError(
        "--lenient lists what the checks find, --unchecked runs none: leave one of them out");
  if (executor == "cpu" && timing) throw base::UsageError("--timing needs --executor gpu");
}

execute::ChosenExecutor Judging::choose() const {
  // What only one executor can do chooses it.
  const std::string wanted = executor != "auto" ? executor : nvcc ? "cpu" : timing ? "gpu" : "auto";
  execute::ExecutorSettings settings;
  settings.confinement = sandbox == "full" ? sandbox::Confinement::kFull : sandbox::Confinement::kLimits;
  execute::ChosenExecutor chosen = execute::choose_executor(wanted, settings);
  if (!chosen.reason.empty()) base::log_info("executor: {} ({})", chosen.executor->name(), chosen.reason);
  if (timing && chosen.executor->name() != "gpu") throw base::UsageError("--timing needs a GPU");
  return chosen;
}

judge::JudgeSettings Judging::settings_for(const std::filesystem::path& folder) const {
  judge::JudgeSettings judge;
  judge.seed = seed >= 0 ? static_cast<uint64_t>(seed) : judge::seed_of_run(folder).value_or(fresh_seed());
  judge.trials = static_cast<int>(trials);
  judge.lenient = lenient;
  judge.check = !unchecked;
  judge.timing = timing;
  judge.timing_rounds = static_cast<int>(timing_rounds);
  judge.compiled_baseline = timing_compiled;
  judge.judge_with_nvcc = nvcc;
  return judge;
}

std::vector<judge::Verdict> judge_with_progress(const judge::VerificationPlan& plan, judge::Judge& judge,
                                                const std::string& title) {
  base::Progress progress(progress_under(title));
  std::vector<judge::Verdict> verdicts = judge::verify_all(plan, judge, progress);
  progress.finish();
  return verdicts;
}

std::vector<judge::Verdict> share_with_progress(const judge::VerificationPlan& plan,
                                                const judge::Sharing& sharing, const std::string& title) {
  base::Progress progress(progress_under(title));
  std::vector<judge::Verdict> verdicts = judge::verify_shared(plan, sharing, progress);
  progress.finish();
  return verdicts;
}

size_t table_columns() {
  const base::Console& console = base::standard_console();
  return console.is_terminal() ? console.width() : kColumnsWithoutTerminal;
}

}  // namespace cuset::cli
