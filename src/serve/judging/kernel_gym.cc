#include "serve/judging/kernel_gym.h"

#include <algorithm>
#include <utility>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "judge/verdict/verdict.h"
#include "tasks/task.h"

namespace cuset::serve {
namespace {

constexpr size_t kLongestName = 100;  // KernelGYM's limits
constexpr size_t kMostAtOnce = 100;
constexpr double kShortestTime = 10;
constexpr double kLongestTime = 3600;
constexpr double kUsualTime = 300;

bool is_identifier(const std::string& text) {
  const auto is_letter = [](unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  };
  return !text.empty() && is_letter(static_cast<unsigned char>(text[0])) &&
         std::all_of(text.begin(), text.end(),
                     [&](unsigned char c) { return is_letter(c) || (c >= '0' && c <= '9'); });
}

std::string entry_point_of(const base::JsonCursor& body) {
  const base::JsonCursor field = body.get("entry_point");
  std::string name = field.string_or("Model");
  if (!is_identifier(name)) field.refuse("is not the name of a class");
  return name;
}

// KernelBench calls the classes Model and ModelNew.
std::string with_alias(std::string code, const std::string& wanted, const std::string& name) {
  if (wanted == name) return code;
  return std::move(code) + fmt::format("\n\n{} = {}\n", wanted, name);
}

std::string module_of(const base::JsonCursor& reference, const std::string& entry_point) {
  std::string code = reference.nonempty_string();
  for (const std::string& part : {"class " + entry_point, std::string("def get_inputs(")}) {
    if (code.find(part) == std::string::npos) reference.refuse(fmt::format("has no `{}`", part));
  }
  if (code.find("def get_init_inputs(") == std::string::npos)
    code += "\n\ndef get_init_inputs():\n    return []\n";
  return with_alias(std::move(code), "Model", entry_point);
}

double time_limit_of(const base::JsonCursor& field) {
  const double seconds = field.number_or(kUsualTime);
  if (!(seconds >= kShortestTime && seconds <= kLongestTime))
    field.refuse(fmt::format("must be {} to {} seconds", kShortestTime, kLongestTime));
  return seconds;
}

void refuse_other_workflows(const base::JsonCursor& body) {
  for (const char* key : {"workflow", "toolkit"}) {
    const base::JsonCursor field = body.get(key);
    if (field.string_or("kernelbench") != "kernelbench")
      field.refuse("is not supported by this server", "\"kernelbench\" is");
  }
}

AnswerToJudge kernel_gym_answer(const base::JsonCursor& body) {
  body.expect_object();
  refuse_other_workflows(body);
  const std::string entry_point = entry_point_of(body);
  tasks::Task task;
  task.id = "kernelgym/" + entry_point;
  task.family = entry_point;
  task.benchmark = "kernelbench";
  task.kind = tasks::AnswerKind::kModule;
  task.module = module_of(body.at("reference_code"), entry_point);
  task.time_limit = time_limit_of(body.get("timeout"));
  AnswerToJudge answer;
  answer.job.name = body.at("task_id").nonempty_string();
  if (answer.job.name.size() > kLongestName)
    body.at("task_id").refuse(fmt::format("has more than {} characters", kLongestName));
  if (answer.job.name.find('/') != std::string::npos)
    body.at("task_id").refuse("has a slash, which GET /status/{task_id} cannot name");
  answer.job.task = task.id;
  answer.job.inline_task = base::to_json_line(tasks::json_of(task));
  answer.job.answer = with_alias(body.at("kernel_code").nonempty_string(), "ModelNew", entry_point + "New");
  return answer;
}

// Its clients treat a decoy as an answer that cheats.
bool is_decoy(judge::Outcome outcome) {
  return outcome == judge::Outcome::kNoKernel || outcome == judge::Outcome::kHostWork ||
         outcome == judge::Outcome::kHack;
}

const char* error_code_of(judge::Outcome outcome) {
  switch (outcome) {
    case judge::Outcome::kCompileError:
    case judge::Outcome::kLinkError:
      return "COMPILATION_ERROR";
    case judge::Outcome::kLaunchError:
    case judge::Outcome::kCrash:
      return "RUNTIME_ERROR";
    case judge::Outcome::kTimeout:
      return "TIMEOUT_ERROR";
    case judge::Outcome::kOutOfMemory:
      return "RESOURCE_ERROR";
    case judge::Outcome::kWrongOutput:
    case judge::Outcome::kWrongShape:
    case judge::Outcome::kUndefinedBehavior:
      return "CORRECTNESS_ERROR";
    case judge::Outcome::kUnsupported:
    case judge::Outcome::kFaultyTask:
      return "SYSTEM_ERROR";
    default:
      return "VALIDATION_ERROR";
  }
}

// Of the timed run: a kernel that ran in it and is listed among the answer's own is custom.
void add_coverage(const judge::Verdict& verdict, base::Json& metadata) {
  const std::vector<std::string>& own = verdict.kernels;
  double own_us = 0, all_us = 0;
  int64_t own_count = 0, all_count = 0;
  for (const execute::KernelProfile& profile : verdict.timing->kernels) {
    const bool is_own = std::find(own.begin(), own.end(), profile.kernel.name) != own.end();
    all_us += profile.kernel.total_ms * 1e3;
    ++all_count;
    if (!is_own) continue;
    own_us += profile.kernel.total_ms * 1e3;
    ++own_count;
  }
  metadata.update({{"num_custom_kernels", own_count},
                   {"num_total_kernels", all_count},
                   {"custom_kernel_cuda_time_in_profiling_us", own_us},
                   {"total_kernel_run_time_in_profiling_us", all_us}});
}

base::Json empty_evaluation(const std::string& name) {
  return {{"task_id", name},
          {"status", "failed"},
          {"compiled", false},
          {"correctness", false},
          {"decoy_kernel", false},
          {"reference_runtime", -1.0},
          {"kernel_runtime", -1.0},
          {"speedup", 0.0},
          {"metadata", base::Json::object()},
          {"error_message", nullptr},
          {"error_code", nullptr},
          {"submitted_at", nullptr},
          {"completed_at", nullptr},
          {"processing_time", nullptr}};
}

void add_judged(const base::Json& result, base::Json& evaluation) {
  const judge::Verdict verdict = judge::verdict_from_json(result["verdict"], "verdict");
  const bool is_correct = verdict.outcome == judge::Outcome::kCorrect;
  base::Json metadata = {{"outcome", result["outcome"]},   {"explanation", verdict.explanation},
                         {"feedback", result["feedback"]}, {"device", verdict.executor},
                         {"kernels", verdict.kernels},     {"num_correct_trials", verdict.trials.size()}};
  if (verdict.timing) {
    add_coverage(verdict, metadata);
    evaluation.update({{"reference_runtime", verdict.timing->reference_us / 1e3},
                       {"kernel_runtime", verdict.timing->median_us / 1e3},
                       {"speedup", verdict.timing->speedup}});
  }
  evaluation.update({{"status", judge::is_verdict(verdict.outcome) ? "completed" : "failed"},
                     {"compiled", judge::compiled(verdict.outcome)},
                     {"correctness", is_correct},
                     {"decoy_kernel", is_decoy(verdict.outcome)},
                     {"metadata", metadata},
                     {"processing_time", verdict.seconds}});
  if (is_correct) return;
  evaluation["error_code"] = error_code_of(verdict.outcome);
  evaluation["error_message"] = result["feedback"].is_string() ? result["feedback"] : result["explanation"];
}

}  // namespace

JudgeRequest kernel_gym_request_from_json(const base::Json& document) {
  JudgeRequest request;
  request.is_single = true;
  request.answers.push_back(kernel_gym_answer(base::JsonCursor(document, "request")));
  return request;
}

JudgeRequest kernel_gym_batch_from_json(const base::Json& document) {
  const base::JsonCursor body(document, "request");
  body.expect_object();
  body.at("batch_id").nonempty_string();
  const base::JsonCursor list = body.at("tasks");
  JudgeRequest request;
  for (const base::JsonCursor& task : list.elements()) request.answers.push_back(kernel_gym_answer(task));
  if (request.answers.empty()) list.refuse("is empty", "give one task or more");
  if (request.answers.size() > kMostAtOnce) list.refuse(fmt::format("has more than {} tasks", kMostAtOnce));
  return request;
}

base::Json kernel_gym_evaluation(const std::string& name, const base::Json& result) {
  base::Json evaluation = empty_evaluation(name);
  if (result["state"] == "done") {
    add_judged(result, evaluation);
  } else {
    evaluation["error_code"] = "SYSTEM_ERROR";
    evaluation["error_message"] =
        result.value("error", fmt::format("the job is {}", result["state"].get<std::string>()));
  }
  return evaluation;
}

base::Json kernel_gym_status(const std::string& name, const base::Json& result) {
  const std::string state = result["state"];
  base::Json status = {{"task_id", name}, {"error_message", nullptr}};
  if (state == "waiting" || state == "running") {
    status["status"] = state == "waiting" ? "pending" : "processing";
    return status;
  }
  const base::Json evaluation = kernel_gym_evaluation(name, result);
  status["status"] = state == "canceled" ? base::Json("cancelled") : evaluation["status"];
  status["error_message"] = evaluation["error_message"];
  return status;
}

base::Json kernel_gym_batch(const base::Json& batch_id, const std::vector<std::string>& names,
                            const base::Json& results) {
  base::Json evaluations = base::Json::array();
  size_t failed = 0;
  for (size_t i = 0; i < names.size(); ++i) {
    evaluations.push_back(kernel_gym_evaluation(names[i], results[i]));
    failed += evaluations.back()["status"] == "failed" ? 1 : 0;
  }
  return {{"batch_id", batch_id},   {"total_tasks", names.size()}, {"completed_tasks", names.size() - failed},
          {"failed_tasks", failed}, {"results", evaluations},      {"batch_status", "completed"}};
}

}  // namespace cuset::serve
