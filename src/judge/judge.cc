#include "judge/judge.h"

#include <chrono>
#include <memory>

#include "base/error.h"
#include "base/files/sha256.h"
#include "base/seconds_since.h"
#include "cuda_source/answer.h"
#include "judge/programs/program_rules.h"

namespace cuset::judge {
namespace {

std::string reason_for(cuda_source::NoProgram reason) {
  switch (reason) {
    case cuda_source::NoProgram::kEmpty:
      return "the answer is empty";
    case cuda_source::NoProgram::kUnfinishedReasoning:
      return "the answer ends inside its reasoning";
    default:
      return "the answer holds no code";
  }
}

}  // namespace

Judge::Judge(execute::Executor& executor, const JudgeSettings& settings)
    : executor_(executor), settings_(settings), scripts_(settings.confinement) {
  if (settings_.trials < 1) throw base::Error("{} trials: at least one is needed", settings_.trials);
}

Verdict Judge::judge(const tasks::Task& task, const std::string& answer) {
  const auto start = std::chrono::steady_clock::now();
  Verdict verdict = judge_text(task, text_of(task, answer));
  verdict.task = task.id;
  verdict.family = task.family;
  verdict.executor = executor_.name();
  verdict.seed = settings_.seed;
  verdict.seconds = base::seconds_since(start);
  return verdict;
}

Verdict Judge::judge_text(const tasks::Task& task, const std::string& answer) {
  Verdict none;
  const cuda_source::Extraction extraction = cuda_source::extract_code(answer);
  if (!extraction.program) {
    none.explanation = reason_for(extraction.reason);
    return none;
  }
  const cuda_source::ProgramLanguage wanted = task.kind == tasks::AnswerKind::kModule
                                                  ? cuda_source::ProgramLanguage::kPython
                                                  : cuda_source::ProgramLanguage::kCuda;
  if (extraction.program->language != wanted) {
    none.code_hash = base::sha256(extraction.program->code);
    none.explanation =
        fmt::format("the answer's code is {}, wanted {}", cuda_source::name_of(extraction.program->language),
                    cuda_source::name_of(wanted));
    return none;
  }
  return judge_code(task, extraction.program->code);
}

Verdict Judge::judge_code(const tasks::Task& task, const std::string& code) {
  if (task.kind != tasks::AnswerKind::kProgram && task.kind != tasks::AnswerKind::kFunction) {
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

void Judge::forget(const tasks::Task& task) { expected_.forget(task); }

}  // namespace cuset::judge
