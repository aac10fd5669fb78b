#include "serve/judging/judge_request.h"

#include <utility>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "judge/verdict/verdict.h"
#include "reinforce/feedback.h"
#include "tasks/task.h"

namespace cuset::serve {
namespace {

constexpr size_t kMostAnswersAtOnce = 10'000;
constexpr double kLongestWait = 24 * 3600;
constexpr uint64_t kLargestInlineData = uint64_t{256} << 20;  // of one trial; all trials' are kept in memory

std::string answer_text(const base::JsonCursor& body) {
  const base::JsonCursor answer = body.get("answer"), code = body.get("code");
  if (answer.is_absent() == code.is_absent())
    body.refuse("needs either \"answer\" (a model's text) or \"code\" (a program)");
  return answer.is_absent() ? code.string() : answer.string();
}

AnswerToJudge answer_from(const base::JsonCursor& body) {
  AnswerToJudge answer;
  const base::JsonCursor task = body.at("task");
  if (task.value().is_object()) {
    // A task that cannot be read is the client's fault, and known before it is queued.
    const tasks::Task read = tasks::task_from_json(task.value(), "request: field 'task'");
    if (tasks::data_bytes(read) > kLargestInlineData)
      task.refuse(fmt::format("has more than {} MiB of inputs and outputs", kLargestInlineData >> 20),
                  "name such a task to the server by --tasks");
    answer.job.task = read.id;
    answer.job.inline_task = base::to_json_line(task.value());
  } else {
    answer.job.task = task.nonempty_string();
  }
  answer.job.answer = answer_text(body);
  if (const base::JsonCursor sample = body.get("sample"); !sample.is_absent())
    answer.sample = sample.integer(0, UINT32_MAX);
  return answer;
}

// What a model may be told; nothing where there is nothing to say.
base::Json feedback_json(const judge::Verdict& verdict) {
  const bool is_silent =
      verdict.outcome == judge::Outcome::kCorrect || verdict.outcome == judge::Outcome::kFaultyTask;
  return is_silent ? base::Json(nullptr) : base::Json(reinforce::feedback_on(verdict, false));
}

void add_verdict(const JobRecord& record, const reinforce::RewardSettings& reward, base::Json& json) {
  base::Json document = base::parse_json(record.result, "queue.sqlite");
  const judge::Verdict verdict = judge::verdict_from_json(document, "queue.sqlite");
  if (json.contains("sample")) document["sample"] = json["sample"];
  json["outcome"] = judge::name_of(verdict.outcome);
  json["correct"] = verdict.outcome == judge::Outcome::kCorrect;
  json["explanation"] = verdict.explanation;
  json["feedback"] = feedback_json(verdict);
  json["reward"] = reinforce::reward_of(reward, verdict, {}).to_json();
  json["verdict"] = std::move(document);
}

}  // namespace

JudgeRequest judge_request_from_json(const base::Json& document) {
  const base::JsonCursor body(document, "request");
  body.expect_object();
  JudgeRequest request;
  const base::JsonCursor answers = body.get("answers");
  request.is_single = answers.is_absent();
  if (request.is_single) {
    body.expect_only({"task", "answer", "code", "sample", "wait", "timeout", "reward"});
    request.answers.push_back(answer_from(body));
  } else {
    body.expect_only({"answers", "wait", "timeout", "reward"});
    for (const base::JsonCursor& answer : answers.elements()) {
      answer.expect_only({"task", "answer", "code", "sample"});
      request.answers.push_back(answer_from(answer));
    }
    if (request.answers.empty()) answers.refuse("is empty", "give one answer or more");
    if (request.answers.size() > kMostAnswersAtOnce)
      answers.refuse(fmt::format("has more than {} answers", kMostAnswersAtOnce), "send several requests");
  }
  request.wait = body.get("wait").boolean_or(true);
  const base::JsonCursor timeout = body.get("timeout");
  if (!timeout.is_absent()) request.time_limit = timeout.positive_number();
  if (request.time_limit > kLongestWait) timeout.refuse("is more than a day");
  request.reward.form = reinforce::reward_form_named(body.get("reward").string_or("composite"));
  return request;
}

base::Json result_json(const JobRecord& record, const std::optional<int64_t>& sample,
                       const reinforce::RewardSettings& reward) {
  base::Json json = {{"id", record.id}, {"task", record.task}};
  if (sample) json["sample"] = *sample;
  json["state"] = name_of(record.state);
  if (record.state == JudgeJobState::kDone) add_verdict(record, reward, json);
  if (record.state == JudgeJobState::kFailed) json["error"] = record.result;
  return json;
}

}  // namespace cuset::serve
