#include "judge/judge.h"

#include <chrono>
#include <memory>

#include "base/error.h"
#include "base/seconds_since.h"
#include "base/files/sha256.h"
#include "cuda_source/answer.h"
#include "judge/program_rules.h"

namespace cuset {
namespace {

std::string reason_for(NoProgram reason) {
  switch (reason) {
    case NoProgram::kEmpty:
      return "the answer is empty";
    case NoProgram::kUnfinishedReasoning:
      return "the answer ends inside its reasoning";
    default:
      return "the answer holds no code";
  }
}

}  // namespace

Judge::Judge(Executor& executor, const JudgeSettings& settings)
    : executor_(executor), settings_(settings), scripts_(settings.confinement) {
  if (settings_.trials < 1) throw Error("{} trials: at least one is needed", settings_.trials);
}

Verdict Judge::judge(const Task& task, const std::string& answer) {
  const auto start = std::chrono::steady_clock::now();
  Verdict verdict = judge_text(task, answer);
  verdict.task = task.id;
  verdict.family = task.family;
  verdict.executor = executor_.name();
  verdict.seed = settings_.seed;
  verdict.seconds = seconds_since(start);
  return verdict;
}

Verdict Judge::judge_text(const Task& task, const std::string& answer) {
  Verdict none;
  const Extraction extraction = extract_code(answer);
  if (!extraction.program) {
    none.explanation = reason_for(extraction.reason);
    return none;
  }
  const ProgramLanguage wanted =
      task.kind == AnswerKind::kModule ? ProgramLanguage::kPython : ProgramLanguage::kCuda;
  if (extraction.program->language != wanted) {
    none.code_hash = sha256(extraction.program->code);
    none.explanation = fmt::format("the answer's code is {}, wanted {}",
                                   name_of(extraction.program->language), name_of(wanted));
    return none;
  }
  return judge_code(task, extraction.program->code);
}

Verdict Judge::judge_code(const Task& task, const std::string& code) {
  if (task.kind != AnswerKind::kProgram && task.kind != AnswerKind::kFunction) {
    Verdict unsupported;
    unsupported.outcome = Outcome::kUnsupported;
    unsupported.explanation = "only the judge of its benchmark can judge answers to this task";
    return unsupported;
  }
  std::shared_ptr<const Expected> expected;
  return judge_program({executor_, settings_, scripts_}, {task, code}, [&]() -> const Expected& {
    expected = expected_.get(task, [&] { return make_expected(executor_, settings_, scripts_, task); });
    return *expected;
  });
}

void Judge::forget(const Task& task) { expected_.forget(task); }

}  // namespace cuset
