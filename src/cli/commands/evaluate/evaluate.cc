// cuset evaluate: a model's answers to tasks, and the verdicts on them. docs/generate.md.
#include "cli/commands/commands.h"

#include <iostream>
#include <set>

#include "base/error.h"
#include "base/interrupt.h"
#include "benchmarks/answer_reader.h"
#include "benchmarks/benchmark_judge.h"
#include "benchmarks/task_reader.h"
#include "cli/commands/evaluate/evaluate_table.h"
#include "cli/commands/verify/verify_table.h"
#include "cli/framework/generation_options.h"
#include "cli/framework/judging.h"
#include "cli/framework/version.h"
#include "judge/results/summary.h"
#include "tasks/answer.h"

namespace cuset::cli {
namespace {

namespace fs = std::filesystem;

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
    return {{"command", "evaluate"},
            {"tasks", options_.tasks.string()},
            {"version", program_version()},
            {"revision", git_revision()},
            {"settings", settings_->to_json()}};
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
