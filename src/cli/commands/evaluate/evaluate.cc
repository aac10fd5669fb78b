// cuset evaluate: a model's answers to tasks, and the verdicts on them. docs/generate.md.
#include "cli/commands/commands.h"

#include <fmt/format.h>

#include <iostream>
#include <set>
#include <string>
#include <vector>

#include "base/console.h"
#include "base/error.h"
#include "base/interrupt.h"
#include "benchmarks/answer_reader.h"
#include "benchmarks/benchmark_judge.h"
#include "benchmarks/task_reader.h"
#include "cli/commands/evaluate/evaluate_table.h"
#include "cli/commands/verify/verify_table.h"
#include "cli/framework/command_record.h"
#include "cli/framework/generation_options.h"
#include "cli/framework/judging.h"
#include "cli/framework/setting_limits.h"
#include "judge/results/summary.h"
#include "reinforce/conversation_run.h"
#include "reinforce/turn_rates.h"
#include "tasks/answer.h"

namespace cuset::cli {
namespace {

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
           "  cuset evaluate --model M --tasks T --output R --samples 5 --temperature 0.8 --executor cpu\n"
           "  cuset evaluate --model M --tasks T --output R --turns 3 --temperature 0.8";
  }

  void declare(Settings& settings) override {
    options_.declare(settings, /*with_prompt_files=*/false);
    settings.add("output", options_.plan.output,
                 "Folder of answers and verdicts; a run that is there resumes");
    settings.require("output");
    settings.add(
        "turns", turns_,
        "Number of answers that a conversation may take: what is wrong with one goes back to the model");
    judging_.declare(settings, "judge_seed");
    settings.add("json", json_, "Print the summaries as JSON instead of a table");
    settings_ = &settings;
  }

  int run() override {
    if (options_.tasks.empty()) throw base::UsageError("--tasks is missing: the tasks to answer");
    options_.check();
    judging_.check_flags();
    within("turns", turns_, 1, 100);
    if (options_.plan.output.extension() == ".jsonl")
      throw base::UsageError("output: give a folder, not a file");
    options_.plan.about = about();
    options_.plan.keep_ids = turns_ > 1;
    options_.read_prompts();
    const execute::ChosenExecutor chosen = judging_.choose();
    tasks_ = benchmarks::read_tasks(options_.tasks).tasks;
    const base::InterruptGuard guard("interrupted: the same command resumes later");
    turns_ > 1 ? converse(*chosen.executor) : answer_once(*chosen.executor);
    return guard.is_requested() ? 128 + guard.signal_number() : 0;
  }

 private:
  base::Json about() const {
    base::Json record = command_record("evaluate", *settings_);
    record["tasks"] = options_.tasks.string();
    return record;
  }

  void answer_once(execute::Executor& executor) const {
    const generate::GenerationResult generated = generate::run_generation(options_.plan);
    if (!generated.is_complete) return;
    std::vector<EvaluatedSet> evaluated;
    for (const generate::AnswerSet& set : generated.sets) {
      if (base::is_interrupt_requested()) return;
      std::vector<judge::Verdict> verdicts =
          judge({.set = set, .first = set, .tasks = generated.tasks}, executor);
      judge::Summary summary = judge::summarize(verdicts, judge::kSummaryKs);
      evaluated.push_back({set.name, std::move(summary), std::move(verdicts)});
    }
    report(generated.sets, evaluated);
  }

  void converse(execute::Executor& executor) const {
    const reinforce::ConversationPlan plan{
        .generation = options_.plan, .turns = turns_, .judge = [&](const reinforce::AnsweredTurn& turn) {
          return judge(turn, executor);
        }};
    reinforce::ConversationResult result = reinforce::run_conversations(plan);
    if (!result.is_complete) return;
    std::vector<EvaluatedSet> evaluated;
    std::vector<generate::AnswerSet> sets;
    for (reinforce::ConversationSet& set : result.sets) {
      std::vector<judge::Verdict> verdicts = reinforce::verdicts_after(set.conversations, turns_);
      judge::Summary summary = judge::summarize(verdicts, judge::kSummaryKs);
      evaluated.push_back(
          {set.set.name, std::move(summary), std::move(verdicts), std::move(set.conversations)});
      sets.push_back(std::move(set.set));
    }
    report(sets, evaluated);
  }

  // The inputs of a later turn are others than those of which an earlier one told the model something.
  std::vector<judge::Verdict> judge(const reinforce::AnsweredTurn& turn, execute::Executor& executor) const {
    judge::JudgeSettings settings = judging_.settings_for(turn.first.file.parent_path());
    settings.seed += static_cast<uint64_t>(turn.number) - 1;
    const auto judge = benchmarks::make_benchmark_judge(executor, settings);
    const std::string title = turn.number > 1 ? fmt::format("verify {} turn {}", turn.set.name, turn.number)
                                              : "verify " + turn.set.name;
    return judge_with_progress(verification_of(turn, executor), *judge, title);
  }

  judge::VerificationPlan verification_of(const reinforce::AnsweredTurn& turn,
                                          const execute::Executor& executor) const {
    judge::VerificationPlan plan;
    plan.folder = turn.set.file.parent_path();
    plan.answers = benchmarks::read_answers(turn.set.file);
    tasks::match_answers(plan.answers, tasks_);
    // The file may hold more, of an earlier call that asked for more.
    const std::set<std::string> wanted(turn.tasks.begin(), turn.tasks.end());
    std::erase_if(plan.answers, [&](const tasks::Answer& answer) {
      return !wanted.contains(answer.task) || answer.sample >= options_.plan.choice.samples;
    });
    plan.tasks = tasks_;
    plan.workers = static_cast<int>(judging_.workers);
    plan.about = options_.plan.about;
    plan.about.update({{"answers", turn.set.file.string()},
                       {"level", turn.set.level},
                       {"machine", executor.description()}});
    return plan;
  }

  void report(const std::vector<generate::AnswerSet>& sets,
              const std::vector<EvaluatedSet>& evaluated) const {
    if (json_) return print_json(evaluated);
    if (evaluated.size() == 1) {
      std::cout << render_verification(evaluated[0].summary, evaluated[0].verdicts, table_columns());
    } else {
      std::cout << render_evaluation(evaluated) << "\nfunction pass@1, paired by task:\n";
      for (const std::string& gain : describe_gains(evaluated)) std::cout << "  " << gain << "\n";
    }
    for (const EvaluatedSet& set : evaluated) {
      if (set.conversations.empty()) continue;
      if (evaluated.size() > 1) std::cout << "\n" << base::printable(set.name);
      std::cout << "\n" << render_turns(set.conversations, turns_);
    }
    for (const generate::AnswerSet& set : sets) {
      std::cout << fmt::format("results: {}\n", set.file.parent_path().string());
    }
    std::cout << fmt::format("one page: cuset report {}\n", options_.plan.output.string());
  }

  void print_json(const std::vector<EvaluatedSet>& evaluated) const {
    base::Json out = base::Json::object();
    for (const EvaluatedSet& set : evaluated) {
      out[set.name] = judge::json_of(set.summary);
      if (!set.conversations.empty())
        out[set.name].update(reinforce::json_of_rates(set.conversations, turns_));
    }
    std::cout << out.dump(2) << "\n";
  }

  GenerationOptions options_;
  Judging judging_;
  int64_t turns_ = 1;
  bool json_ = false;
  std::vector<tasks::Task> tasks_;
  const Settings* settings_ = nullptr;
};

}  // namespace

std::unique_ptr<Command> make_evaluate_command() { return std::make_unique<EvaluateCommand>(); }

}  // namespace cuset::cli
