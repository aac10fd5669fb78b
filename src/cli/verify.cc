#include "cli/verify.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <random>
#include <set>

#include "base/console.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "base/progress.h"
#include "cli/executor_choice.h"
#include "cli/verify_audit.h"
#include "cli/verify_show.h"
#include "cli/verify_table.h"
#include "cli/version.h"
#include "verify/readers/answer_matching.h"
#include "verify/results/audit_run.h"
#include "verify/results/plan_record.h"
#include "verify/results/verification.h"

namespace cuset {
namespace {

namespace fs = std::filesystem;

constexpr size_t kColumnsWithoutTerminal = 160;

// Small enough for every reader of JSON.
uint64_t fresh_seed() {
  std::random_device device;
  return (uint64_t{device()} << 32 | device()) >> 11;
}

// A Progress that begins with the first call, once it is known what earlier runs have done.
class LateProgress {
 public:
  LateProgress(std::string title, std::string unit) : title_(std::move(title)), unit_(std::move(unit)) {}

  void show(size_t done, size_t total, const std::string& note) {
    if (!progress_) {
      progress_.emplace(ProgressOptions{.title = title_, .total = total, .unit = unit_, .done = done});
      return;
    }
    progress_->add();
    progress_->set_note(note);
  }

  void finish() {
    if (progress_) progress_->finish();
  }

 private:
  std::string title_;
  std::string unit_;
  std::optional<Progress> progress_;
};

class VerifyCommand : public Command {
 public:
  std::string_view name() const override { return "verify"; }
  std::string_view summary() const override {
    return "Judge answers to kernel tasks: do they compile, compute the right thing, by a kernel, how fast";
  }
  std::string_view examples() const override {
    return "  cuset verify --tasks examples/verify/tasks.jsonl --answers examples/verify/answers.jsonl\n"
           "  cuset verify --tasks CUDABench-Set.jsonl --answers model_level1_pass3.jsonl --timing\n"
           "  cuset verify --tasks tasks.jsonl --answers folder --executor cpu --check --only softmax,scan\n"
           "  cuset verify --output runs/verify/answers-cpu --show softmax#2\n"
           "  cuset verify --tasks tasks.jsonl --audit";
  }

  void declare(Settings& settings) override {
    settings.add("tasks", tasks_, "Tasks: ours, CUDABench's, KernelBench's, ParEval's or compute-eval's");
    settings.add("answers", answers_,
                 "Answers: JSONL of any of these, or a folder of files named after tasks");
    settings.add("output", output_,
                 "Folder of the results, continued where it is there; empty: below runs/verify");
    settings.add_choice("executor", executor_, {"auto", "cpu", "gpu"}, "Where answers run");
    settings.add("trials", trials_, "Fresh inputs that every answer is tried on");
    settings.add("seed", seed_, "Of the inputs; -1: that of the run which is continued, or a fresh one");
    settings.add("workers", workers_, "Answers judged at the same time; 0: one per core");
    settings.add("check", check_, "cpu: once more with checks of memory accesses, races and barriers");
    settings.add("timing", timing_, "gpu: measure correct answers beside the reference");
    settings.add("nvcc", nvcc_, "cpu: let nvcc judge first whether an answer compiles");
    settings.add("level", level_, "Level of the prompts that the answers were made from, for the record");
    settings.add("only", only_, "Ids of the tasks to take");
    settings.add("limit", limit_, "Take so many tasks, the first that have answers; 0: all");
    settings.add_choice("sandbox", sandbox_, {"full", "limits"},
                        "full isolation, or limits of time and memory alone where the system forbids more");
    settings.add("audit", audit_, "Judge the tasks instead: idle answers and wrong references must fail");
    settings.add("show", show_, "Print one verdict of --output in full: ID or ID#SAMPLE");
    settings.add("json", json_, "Print the summary as JSON instead of a table");
    settings_ = &settings;
  }

  int run() override {
    check_flags();
    if (!show_.empty()) return show();
    TaskFile file = read_tasks(tasks_);
    log_info("{}: {} tasks ({})", tasks_.string(), file.tasks.size(), file.benchmark);
    ChosenExecutor chosen = choose_executor(wanted_executor(), executor_settings());
    if (!chosen.reason.empty()) log_info("executor: {} ({})", chosen.executor->name(), chosen.reason);
    if (timing_ && chosen.executor->name() != "gpu") throw UsageError("--timing needs a GPU");
    const fs::path folder = folder_for(chosen.executor->name());
    const JudgeSettings judge = judge_settings(folder);
    log_info("results: {}; seed {}", folder.string(), judge.seed);
    const InterruptGuard guard("interrupted: ending the answers in hand; the same command goes on later");
    if (audit_) {
      audit(std::move(file.tasks), folder, judge, *chosen.executor);
    } else {
      verify(std::move(file.tasks), folder, judge, *chosen.executor);
    }
    return guard.is_requested() ? 128 + guard.signal_number() : 0;
  }

 private:
  void check_flags() const {
    if (!show_.empty()) return;
    if (tasks_.empty()) throw UsageError("--tasks is missing: the tasks that were answered");
    if (answers_.empty() && !audit_) throw UsageError("--answers is missing: the answers to judge");
    if (!answers_.empty() && audit_) throw UsageError("--audit judges the tasks: it takes no --answers");
    if (trials_ < 1 || trials_ > 1000) throw UsageError("--trials: {} is not in 1 to 1000", trials_);
    if (workers_ < 0 || workers_ > 1024) throw UsageError("--workers: {} is not in 0 to 1024", workers_);
    if (limit_ < 0) throw UsageError("--limit: {} is negative", limit_);
    if (seed_ < -1) throw UsageError("--seed: {} is negative", seed_);
    if (executor_ == "gpu" && check_) throw UsageError("--check needs --executor cpu");
    if (executor_ == "cpu" && timing_) throw UsageError("--timing needs --executor gpu");
  }

  // What only one executor can do chooses it.
  std::string wanted_executor() const {
    if (executor_ != "auto") return executor_;
    return check_ || nvcc_ ? "cpu" : timing_ ? "gpu" : "auto";
  }

  ExecutorSettings executor_settings() const {
    ExecutorSettings settings;
    settings.confinement = sandbox_ == "full" ? Confinement::kFull : Confinement::kLimits;
    return settings;
  }

  fs::path folder_for(const std::string& executor) const {
    if (!output_.empty()) return output_;
    const fs::path subject = audit_ ? tasks_ : answers_;
    const std::string stem = (subject.has_filename() ? subject : subject.parent_path()).stem().string();
    return fs::path("runs") / (audit_ ? "audit" : "verify") / fmt::format("{}-{}", stem, executor);
  }

  JudgeSettings judge_settings(const fs::path& folder) const {
    JudgeSettings judge;
    judge.seed = seed_ >= 0 ? static_cast<uint64_t>(seed_) : seed_of_run(folder).value_or(fresh_seed());
    judge.trials = static_cast<int>(trials_);
    judge.check = check_;
    judge.timing = timing_;
    judge.judge_with_nvcc = nvcc_;
    return judge;
  }

  // What run.json says beside what decides a verdict.
  Json about(const Executor& executor) const {
    return {{"command", audit_ ? "verify --audit" : "verify"},
            {"tasks", tasks_.string()},
            {"answers", answers_.string()},
            {"level", level_},
            {"machine", executor.description()},
            {"version", program_version()},
            {"revision", git_revision()},
            {"settings", settings_->to_json()}};
  }

  // The ids that --only names, or all; throws where one is unknown.
  std::set<std::string> chosen_ids(const std::vector<Task>& tasks) const {
    std::vector<std::string> known;
    for (const Task& task : tasks) known.push_back(task.id);
    if (only_.empty()) return {known.begin(), known.end()};
    for (const std::string& id : only_) {
      if (std::find(known.begin(), known.end(), id) == known.end())
        throw UsageError("--only: unknown task {}{}", in_quotes(id), did_you_mean(id, known));
    }
    return {only_.begin(), only_.end()};
  }

  std::vector<Answer> chosen_answers(const std::vector<Task>& tasks) const {
    std::vector<Answer> all = read_answers(answers_);
    match_answers(all, tasks);
    const std::set<std::string> wanted = chosen_ids(tasks);
    std::vector<Answer> chosen;
    std::set<std::string> answered;
    for (Answer& answer : all) {
      const bool has_room = limit_ == 0 || std::ssize(answered) < limit_ || answered.contains(answer.task);
      if (!wanted.contains(answer.task) || !has_room) continue;
      answered.insert(answer.task);
      chosen.push_back(std::move(answer));
    }
    if (chosen.empty()) throw Error("{}: no answers to the tasks of --only", answers_.string());
    if (answered.size() < wanted.size() && limit_ == 0) {
      log_info("{} of {} tasks have no answers; they count for nothing", wanted.size() - answered.size(),
               wanted.size());
    }
    return chosen;
  }

  void verify(std::vector<Task> tasks, const fs::path& folder, const JudgeSettings& judge,
              Executor& executor) const {
    VerificationPlan plan;
    plan.folder = folder;
    plan.answers = chosen_answers(tasks);
    plan.tasks = std::move(tasks);
    plan.workers = static_cast<int>(workers_);
    plan.judge = judge;
    plan.about = about(executor);
    LateProgress progress("verify", "answers");
    size_t correct = 0;
    const std::vector<Verdict> verdicts = verify_all(plan, executor, [&](const VerificationProgress& state) {
      if (state.latest != nullptr && state.latest->word == Word::kCorrect) ++correct;
      progress.show(state.done, state.total, fmt::format("{} correct", correct));
    });
    progress.finish();
    report(plan, verdicts);
  }

  void report(const VerificationPlan& plan, const std::vector<Verdict>& verdicts) const {
    const Summary summary = summarise(verdicts, kSummaryKs);
    if (json_) {
      Json out = json_of(summary);
      out.update({{"folder", plan.folder.string()}, {"seed", plan.judge.seed}});
      std::cout << out.dump(2) << "\n";
      return;
    }
    const Console& console = standard_console();
    std::cout << render_verification(summary, verdicts,
                                     console.is_terminal() ? console.width() : kColumnsWithoutTerminal);
    std::cout << fmt::format("results: {}\n", plan.folder.string());
    const auto failed = std::find_if(verdicts.begin(), verdicts.end(),
                                     [](const Verdict& verdict) { return verdict.word != Word::kCorrect; });
    if (failed != verdicts.end()) {
      std::cout << fmt::format("one in full: cuset verify --output {} --show '{}'\n", plan.folder.string(),
                               answer_name(*failed));
    }
  }

  void audit(std::vector<Task> tasks, const fs::path& folder, const JudgeSettings& judge,
             Executor& executor) const {
    AuditPlan plan;
    plan.folder = folder;
    const std::set<std::string> wanted = chosen_ids(tasks);
    for (const Task& task : tasks) {
      const bool has_room = limit_ == 0 || std::ssize(plan.chosen) < limit_;
      if (has_room && wanted.contains(task.id)) plan.chosen.push_back(task.id);
    }
    plan.tasks = std::move(tasks);
    plan.workers = static_cast<int>(workers_);
    plan.judge = judge;
    plan.about = about(executor);
    LateProgress progress("audit", "tasks");
    const std::vector<Json> audits = audit_all(
        plan, executor, [&](const AuditProgress& state) { progress.show(state.done, state.total, ""); });
    progress.finish();
    if (json_) {
      Json out = summary_of_audits(audits);
      out.update({{"folder", folder.string()}, {"seed", judge.seed}});
      std::cout << out.dump(2) << "\n";
    } else {
      std::cout << render_audits(audits) << fmt::format("results: {}\n", folder.string());
    }
  }

  int show() const {
    if (output_.empty())
      throw UsageError("--show needs --output: the folder of results")
          .with_remedy("its name was printed by the run");
    const std::vector<Verdict> verdicts = find_verdicts(output_, show_);
    const std::optional<Task> task = task_shown(verdicts[0].task);
    const ShowOptions options{
        .task = task ? &*task : nullptr, .level = level_, .colour = output_has_colour()};
    for (size_t i = 0; i < verdicts.size(); ++i) {
      std::cout << (i == 0 ? "" : "\n") << render_verdict(verdicts[i], options);
    }
    return 0;
  }

  // The task is of interest for its prompt alone: where its file is gone, the verdict is shown without.
  std::optional<Task> task_shown(const std::string& id) const {
    try {
      fs::path file = tasks_;
      if (file.empty()) file = read_json_file(output_ / "run.json").at("tasks").get<std::string>();
      for (Task& task : read_tasks(file).tasks) {
        if (task.id == id) return std::move(task);
      }
    } catch (const std::exception& error) {
      log_debug("no prompt to show: {}", error.what());
    }
    return std::nullopt;
  }

  fs::path tasks_;
  fs::path answers_;
  fs::path output_;
  std::string executor_ = "auto";
  int64_t trials_ = 5;
  int64_t seed_ = -1;
  int64_t workers_ = 0;
  bool check_ = false;
  bool timing_ = false;
  bool nvcc_ = false;
  std::string level_;
  std::vector<std::string> only_;
  int64_t limit_ = 0;
  std::string sandbox_ = "full";
  bool audit_ = false;
  std::string show_;
  bool json_ = false;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_verify_command() { return std::make_unique<VerifyCommand>(); }

}  // namespace cuset
