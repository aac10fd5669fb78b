#include "judge/audit/audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "judge/audit/controls.h"
#include "judge/audit/mutants.h"

namespace cuset::judge {
namespace {

constexpr int kMoreRuns = 2;  // of the reference

// Per trial and output, how far it is from what was expected.
std::vector<double> distances(const Verdict& verdict) {
  std::vector<double> all;
  for (const Trial& trial : verdict.trials)
    for (const OutputComparison& output : trial.outputs) all.push_back(output.largest_absolute);
  return all;
}

bool is_no_further(const std::vector<double>& answer, const std::vector<double>& reference) {
  if (answer.empty() || answer.size() != reference.size()) return false;
  for (size_t i = 0; i < answer.size(); ++i)
    if (!(answer[i] <= 2 * reference[i])) return false;
  return true;
}

class TaskAuditor {
 public:
  TaskAuditor(Judge& judge, const tasks::Task& task, const AuditOptions& options)
      : judge_(judge), task_(task), options_(options), sized_(task) {
    audit_.task = task.id;
  }

  TaskAudit run() {
    judge_reference();
    if (audit_.mark.empty() && options_.controls) judge_controls();
    if (audit_.mark.empty() && options_.mutants && task_.kind == tasks::AnswerKind::kProgram &&
        has_reference())
      judge_mutants();
    if (audit_.mark.empty()) audit_.mark = mark();
    return std::move(audit_);
  }

 private:
  // The reference as an answer: a whole program, or what a benchmark with tests of its own brings as solution.
  bool has_reference() const {
    return (task_.kind == tasks::AnswerKind::kProgram || task_.kind == tasks::AnswerKind::kTests) &&
           !task_.oracle.program.empty();
  }

  AuditedAnswer& judge(std::string name, std::string description, const std::string& source) {
    const Verdict verdict = judge_.judge(task_, source);
    AuditedAnswer answer{std::move(name), std::move(description), verdict.outcome, verdict.explanation,
                         false};
    answer.same_as_reference = is_no_further(distances(verdict), reference_);
    if (answer.name == "reference") learn_from_reference(verdict);
    if (verdict.outcome == Outcome::kFaultyTask) audit_.mark = "faulty";
    if (verdict.outcome == Outcome::kUnsupported) ++unsupported_;
    audit_.answers.push_back(std::move(answer));
    return audit_.answers.back();
  }

  // Some benchmarks declare outputs smaller than they are; controls must not fail for that.
  void learn_from_reference(const Verdict& verdict) {
    reference_ = distances(verdict);
    if (verdict.trials.empty()) return;
    const std::vector<OutputComparison>& outputs = verdict.trials[0].outputs;
    for (size_t i = 0; i < outputs.size() && i < sized_.outputs.size(); ++i)
      if (outputs[i].elements != tasks::count_of(sized_.outputs[i].shape))
        sized_.outputs[i].shape = {static_cast<int64_t>(outputs[i].elements)};
  }

  // On a GPU the order of atomic additions changes from run to run, and with it the distance.
  void measure_distance_again() {
    for (int i = 0; i < kMoreRuns; ++i) {
      const std::vector<double> again = distances(judge_.judge(task_, task_.oracle.program));
      if (again.size() != reference_.size()) return;
      for (size_t j = 0; j < again.size(); ++j) reference_[j] = std::max(reference_[j], again[j]);
    }
  }

  void judge_reference() {
    if (!has_reference()) return;
    const Outcome outcome = judge("reference", "", task_.oracle.program).outcome;
    const bool differs =
        std::any_of(reference_.begin(), reference_.end(), [](double distance) { return distance > 0; });
    if (outcome == Outcome::kCorrect && differs && judge_.executor().name() == "gpu")
      measure_distance_again();
    audit_.reference_correct = outcome == Outcome::kCorrect;
    if (outcome == Outcome::kUnsupported) audit_.mark = "unjudged";
    if (is_verdict(outcome) && outcome != Outcome::kCorrect) audit_.mark = "faulty";
  }

  void judge_controls() {
    for (const Control& control : controls_of(sized_)) {
      const AuditedAnswer& answer = judge(std::string(control.name), "", control.source);
      if (!audit_.mark.empty()) return;
      const bool is_the_task = control.name == "identity" && answer.same_as_reference;
      if (answer.outcome == Outcome::kCorrect && !is_the_task) audit_.passed_controls.push_back(answer.name);
    }
  }

  void judge_mutants() {
    for (const Mutant& mutant : mutants_of(task_.oracle.program, options_.mutants_per_kind)) {
      const std::string description = fmt::format("line {}: {}", mutant.line, mutant.description);
      const AuditedAnswer& answer = judge(std::string(mutant.kind), description, mutant.source);
      if (answer.outcome != Outcome::kCorrect) continue;
      (answer.same_as_reference ? audit_.equivalent : audit_.survivors)
          .push_back(fmt::format("{}, {}", mutant.kind, description));
    }
  }

  std::string mark() const {
    if (unsupported_ == audit_.answers.size()) return "unjudged";
    if (!audit_.passed_controls.empty()) return "vacuous";
    return audit_.survivors.empty() ? "good" : "lax";
  }

  Judge& judge_;
  const tasks::Task& task_;
  const AuditOptions& options_;
  tasks::Task sized_;  // with outputs as large as the reference's
  TaskAudit audit_;
  std::vector<double> reference_;
  size_t unsupported_ = 0;
};

}  // namespace

TaskAudit audit_task(Judge& judge, const tasks::Task& task, const AuditOptions& options) {
  return TaskAuditor(judge, task, options).run();
}

base::Json json_of(const TaskAudit& audit) {
  base::Json answers = base::Json::array();
  for (const AuditedAnswer& answer : audit.answers) {
    base::Json record = {
        {"name", answer.name}, {"word", name_of(answer.outcome)}, {"explanation", answer.explanation}};
    if (!answer.description.empty()) record["description"] = answer.description;
    if (answer.same_as_reference) record["same_as_reference"] = true;
    answers.push_back(std::move(record));
  }
  return {{"task", audit.task},
          {"mark", audit.mark},
          {"reference_correct", audit.reference_correct},
          {"passed_controls", audit.passed_controls},
          {"survivors", audit.survivors},
          {"equivalent", audit.equivalent},
          {"answers", std::move(answers)}};
}

}  // namespace cuset::judge
