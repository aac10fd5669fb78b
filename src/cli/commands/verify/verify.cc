// cuset verify: judges the answers to a set of tasks, or audits the tasks themselves. docs/verify.md.
#include "cli/commands/commands.h"

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <set>

#include "base/console.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "base/log.h"
#include "base/nearest_name.h"
#include "base/progress.h"
#include "benchmarks/answer_reader.h"
#include "benchmarks/benchmark_judge.h"
#include "benchmarks/task_reader.h"
#include "cli/commands/verify/shared_judging.h"
#include "cli/commands/verify/verify_audit.h"
#include "cli/commands/verify/verify_show.h"
#include "cli/commands/verify/verify_table.h"
#include "cli/framework/command_record.h"
#include "cli/framework/judging.h"
#include "cli/framework/version.h"
#include "judge/results/audit_run.h"
#include "judge/results/plan_record.h"
#include "judge/results/verification.h"
#include "tasks/answer.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

class VerifyCommand : public Command {
 public:
  std::string_view name() const override { return "verify"; }
  std::string_view summary() const override {
    return "Judge answers to kernel tasks: do they compile, are they correct, do kernels do the work, how "
           "fast";
  }
  std::string_view examples() const override {
    return "  cuset verify --tasks examples/verify/tasks.jsonl --answers examples/verify/answers.jsonl\n"
           "  cuset verify --tasks CUDABench-Set.jsonl --answers model_level1_pass3.jsonl --timing\n"
           "  cuset verify --tasks tasks.jsonl --answers folder --executor cpu --lenient --only softmax,scan\n"
           "  cuset verify --output runs/verify/answers-cpu --show softmax#2\n"
           "  cuset verify --tasks tasks.jsonl --audit\n"
           "  srun --ntasks 8 cuset verify --tasks tasks.jsonl --answers answers.jsonl";
  }

  void declare(Settings& settings) override {
    settings.add("tasks", tasks_,
                 "Tasks: a file of cuset gym, CUDABench, KernelBench, ParEval or compute-eval");
    settings.add("answers", answers_,
                 "Answers: JSONL of any of these, or a folder of files named after tasks");
    settings.add("output", output_,
                 "Folder of the results; a run that is there resumes (empty: a folder in runs/verify)");
    judging_.declare(settings, "seed");
    settings.add("level", level_, "Level of the prompts that were answered, recorded in run.json");
    settings.add("only", only_, "Use only the tasks with these ids");
    settings.add("limit", limit_, "Use only the first N tasks that have answers (0: all)");
    settings.add("audit", audit_,
                 "Judge the tasks instead: answers that do nothing and mutated references must fail");
    settings.add("show", show_, "Print one verdict of the --output folder in full: ID or ID#SAMPLE");
    settings.add_choice(
        "share", share_, {"ranks", "owner", "worker"},
        "Share the work with the ranks of torchrun, mpirun or srun; or, for programs that carry "
        "messages, as owner of the results or worker over standard input and output");
    settings.add("json", json_, "Print the summary as JSON instead of a table");
    settings_ = &settings;
  }

  int run() override {
    check_flags();
    if (!show_.empty()) return show();
    const base::InterruptGuard guard(
        "interrupted: finishing the answers that are being judged; the same command resumes later");
    if (share_ == "owner") {
      own_without_judging();
    } else if (share_ == "worker") {
      help(*make_pipe_link(), "a worker", static_cast<int>(judging_.workers));
    } else {
      run_as_rank();
    }
    return guard.is_requested() ? 128 + guard.signal_number() : 0;
  }

 private:
  void check_flags() const {
    if (!show_.empty()) return;
    if (tasks_.empty()) throw base::UsageError("--tasks is missing: the tasks that were answered");
    if (answers_.empty() && !audit_ && share_ != "worker")
      throw base::UsageError("--answers is missing: the answers to judge");
    if (audit_ && share_ != "ranks")
      throw base::UsageError("--audit is not shared, so --share must be absent");
    if (!answers_.empty() && audit_)
      throw base::UsageError("--audit judges the tasks, so --answers must be absent");
    if (limit_ < 0) throw base::UsageError("--limit: {} is negative", limit_);
    judging_.check_flags();
  }

  fs::path folder_for(const std::string& executor) const {
    if (!output_.empty()) return output_;
    const fs::path subject = audit_ ? tasks_ : answers_;
    const std::string stem = (subject.has_filename() ? subject : subject.parent_path()).stem().string();
    return fs::path("runs") / (audit_ ? "audit" : "verify") / fmt::format("{}-{}", stem, executor);
  }

  void run_as_rank() {
    const train::RankEnvironment ranks = train::read_rank_environment(train::process_environment());
    if (ranks.size == 1) return run_and_own(nullptr);
    if (audit_)
      throw base::UsageError("--audit is not shared among ranks, and {} ranks were started", ranks.size)
          .with_remedy("start it without {}", ranks.launcher);
    train::RankMailbox mailbox(ranks);
    const int workers = workers_of_rank(judging_.workers, mailbox.sharers());
    if (ranks.rank != 0) return help(*make_rank_link(mailbox), fmt::format("rank {}", ranks.rank), workers);
    judging_.workers = workers;
    run_and_own(make_rank_crew(mailbox).get());
  }

  // Judges here, and with `crew` if there is one.
  void run_and_own(judge::Crew* crew) const {
    benchmarks::TaskFile file = read_tasks();
    const execute::ChosenExecutor chosen = judging_.choose();
    const fs::path folder = folder_for(chosen.executor->name());
    const auto judge = benchmarks::make_benchmark_judge(*chosen.executor, judging_.settings_for(folder));
    base::log_info("results: {}; seed {}", folder.string(), judge->settings().seed);
    if (audit_) return audit(std::move(file.tasks), folder, *judge);
    judge::VerificationPlan plan = plan_for(std::move(file.tasks), folder, chosen.executor->description());
    if (crew == nullptr)
      return report(folder, judge->settings().seed, judge_with_progress(plan, *judge, "verify"));
    const base::Json identity = judge::identity_of(judge->settings(), *chosen.executor, plan.tasks);
    report(folder, judge->settings().seed,
           share_with_progress(plan, {*crew, identity, agreed(identity), judge.get()}, "verify"));
  }

  // The executor is the workers'. Standard output belongs to messages.
  void own_without_judging() const {
    if (judging_.executor == "auto")
      throw base::UsageError("--share owner needs --executor cpu or gpu: that of the workers");
    benchmarks::TaskFile file = read_tasks();
    const fs::path folder = folder_for(judging_.executor);
    const judge::JudgeSettings settings = judging_.settings_for(folder);
    base::log_info("results: {}; seed {}", folder.string(), settings.seed);
    const judge::VerificationPlan plan = plan_for(std::move(file.tasks), folder, "workers on other machines");
    const base::Json identity = judge::identity_of(settings, judging_.executor, plan.tasks);
    const std::unique_ptr<judge::Crew> crew = make_pipe_crew();
    share_with_progress(plan, {*crew, identity, agreed(identity), nullptr}, "verify");
  }

  // Judges what the owner of the results sends.
  void help(judge::OwnerLink& owner, const std::string& who, int workers) {
    benchmarks::TaskFile file;
    execute::ChosenExecutor chosen;
    std::unique_ptr<judge::Judge> judge;
    const auto prepare = [&](const base::Json& plan) -> judge::Assignment {
      file = read_tasks();
      chosen = judging_.choose();
      judging_.seed = plan.at("seed").get<int64_t>();
      judge = benchmarks::make_benchmark_judge(*chosen.executor, judging_.settings_for({}));
      judge::require_same_plan(
          plan, agreed(judge::identity_of(judge->settings(), *chosen.executor, file.tasks)), who);
      return {*judge, file.tasks};
    };
    judge::help_owner(owner, {.workers = workers, .prepare = prepare});
  }

  // What all processes of a shared run must have in common.
  static base::Json agreed(base::Json identity) {
    identity.update({{"version", program_version()}, {"revision", git_revision()}});
    return identity;
  }

  benchmarks::TaskFile read_tasks() const {
    benchmarks::TaskFile file = benchmarks::read_tasks(tasks_);
    base::log_info("{}: {} tasks ({})", tasks_.string(), file.tasks.size(), file.benchmark);
    return file;
  }

  // What run.json says beside what decides a verdict.
  base::Json about(const std::string& machine) const {
    base::Json record = command_record(audit_ ? "verify --audit" : "verify", *settings_);
    record.update({{"tasks", tasks_.string()},
                   {"answers", answers_.string()},
                   {"level", level_},
                   {"machine", machine}});
    return record;
  }

  std::set<std::string> chosen_ids(const std::vector<tasks::Task>& tasks) const {
    std::vector<std::string> known;
    for (const tasks::Task& task : tasks) known.push_back(task.id);
    return base::chosen_names(only_, known);
  }

  std::vector<tasks::Answer> chosen_answers(const std::vector<tasks::Task>& tasks) const {
    std::vector<tasks::Answer> all = benchmarks::read_answers(answers_);
    tasks::match_answers(all, tasks);
    const std::set<std::string> wanted = chosen_ids(tasks);
    std::vector<tasks::Answer> chosen;
    std::set<std::string> answered;
    for (tasks::Answer& answer : all) {
      const bool has_room = limit_ == 0 || std::ssize(answered) < limit_ || answered.contains(answer.task);
      if (!wanted.contains(answer.task) || !has_room) continue;
      answered.insert(answer.task);
      chosen.push_back(std::move(answer));
    }
    if (chosen.empty()) throw base::Error("{}: no answers to the tasks of --only", answers_.string());
    if (answered.size() < wanted.size() && limit_ == 0) {
      base::log_info("{} of {} tasks have no answers and are left out of the rates",
                     wanted.size() - answered.size(), wanted.size());
    }
    return chosen;
  }

  judge::VerificationPlan plan_for(std::vector<tasks::Task> tasks, const fs::path& folder,
                                   const std::string& machine) const {
    judge::VerificationPlan plan;
    plan.folder = folder;
    plan.answers = chosen_answers(tasks);
    plan.tasks = std::move(tasks);
    plan.workers = static_cast<int>(judging_.workers);
    plan.about = about(machine);
    return plan;
  }

  void report(const fs::path& folder, uint64_t seed, const std::vector<judge::Verdict>& verdicts) const {
    const judge::Summary summary = judge::summarize(verdicts, judge::kSummaryKs);
    if (json_) {
      base::Json out = judge::json_of(summary);
      out.update({{"folder", folder.string()}, {"seed", seed}});
      std::cout << out.dump(2) << "\n";
      return;
    }
    std::cout << render_verification(summary, verdicts, table_columns());
    std::cout << fmt::format("results: {}\n", folder.string());
    const auto failed = std::find_if(verdicts.begin(), verdicts.end(), [](const judge::Verdict& verdict) {
      return verdict.outcome != judge::Outcome::kCorrect;
    });
    if (failed != verdicts.end()) {
      std::cout << fmt::format("one in full: cuset verify --output {} --show '{}'\n", folder.string(),
                               answer_name(*failed));
    }
  }

  void audit(std::vector<tasks::Task> tasks, const fs::path& folder, judge::Judge& judge) const {
    judge::AuditPlan plan;
    plan.folder = folder;
    const std::set<std::string> wanted = chosen_ids(tasks);
    for (const tasks::Task& task : tasks) {
      const bool has_room = limit_ == 0 || std::ssize(plan.chosen) < limit_;
      if (has_room && wanted.contains(task.id)) plan.chosen.push_back(task.id);
    }
    plan.tasks = std::move(tasks);
    plan.workers = static_cast<int>(judging_.workers);
    plan.about = about(judge.executor().description());
    base::Progress progress({.title = "audit", .unit = "tasks"});
    const std::vector<base::Json> audits = judge::audit_all(plan, judge, progress);
    progress.finish();
    if (json_) {
      base::Json out = summary_of_audits(audits);
      out.update({{"folder", folder.string()}, {"seed", judge.settings().seed}});
      std::cout << out.dump(2) << "\n";
    } else {
      std::cout << render_audits(audits) << fmt::format("results: {}\n", folder.string());
    }
  }

  int show() const {
    if (output_.empty())
      throw base::UsageError("--show needs --output: the folder of results")
          .with_remedy("the run printed its name");
    const std::vector<judge::Verdict> verdicts = find_verdicts(output_, show_);
    const std::optional<tasks::Task> task = task_shown(verdicts[0].task);
    const ShowOptions options{
        .task = task ? &*task : nullptr, .level = level_, .color = base::output_has_color()};
    for (size_t i = 0; i < verdicts.size(); ++i) {
      std::cout << (i == 0 ? "" : "\n") << render_verdict(verdicts[i], options);
    }
    return 0;
  }

  // The task is of interest for its prompt alone: where its file is gone, the verdict is shown without.
  std::optional<tasks::Task> task_shown(const std::string& id) const {
    try {
      fs::path file = tasks_;
      if (file.empty()) file = base::read_json_file(output_ / "run.json").at("tasks").get<std::string>();
      for (tasks::Task& task : benchmarks::read_tasks(file).tasks) {
        if (task.id == id) return std::move(task);
      }
    } catch (const std::exception& error) {
      base::log_debug("no prompt to show: {}", error.what());
    }
    return std::nullopt;
  }

  fs::path tasks_;
  fs::path answers_;
  fs::path output_;
  Judging judging_;
  std::string level_;
  std::vector<std::string> only_;
  int64_t limit_ = 0;
  bool audit_ = false;
  std::string show_;
  std::string share_ = "ranks";
  bool json_ = false;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_verify_command() { return std::make_unique<VerifyCommand>(); }

}  // namespace cuset::cli
