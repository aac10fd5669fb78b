#include "serve/judging/judge_request.h"

#include <gtest/gtest.h>

#include "judge/verdict/verdict.h"
#include "support/error_text.h"

namespace cuset::serve {
namespace {

JudgeRequest request_of(const std::string& text) {
  return judge_request_from_json(base::parse_json(text, "test"));
}

TEST(JudgeRequest, OneAnswerOrMany) {
  const JudgeRequest one = request_of(R"({"task": "scan", "answer": "text", "sample": 3})");
  EXPECT_TRUE(one.is_single && one.wait);
  EXPECT_EQ(one.answers.at(0).job.task, "scan");
  EXPECT_EQ(one.answers[0].sample, 3);
  const JudgeRequest many = request_of(
      R"({"answers": [{"task": "a", "code": "x"}, {"task": "b", "answer": "y"}], "wait": false, "timeout": 2.5, "reward": "steps"})");
  EXPECT_FALSE(many.is_single || many.wait);
  EXPECT_EQ(many.answers.at(1).job.answer, "y");
  EXPECT_EQ(many.time_limit, 2.5);
  EXPECT_EQ(many.reward.form, reinforce::RewardForm::kSteps);
}

TEST(JudgeRequest, TaskMayBeAnObject) {
  const std::string task =
      R"({"id": "double", "kind": "program", "inputs": [{"name": "x", "type": "float32", "shape": [8], "domain": "normal"}],
          "outputs": [{"name": "y", "type": "float32", "shape": [8]}], "oracle": {"program": "int main() {}"}})";
  const JudgeRequest request = request_of(R"({"answer": "a", "task": )" + task + "}");
  EXPECT_EQ(request.answers.at(0).job.task, "double");
  EXPECT_FALSE(request.answers[0].job.inline_task.empty());
}

TEST(JudgeRequest, WhatIsWrongIsNamed) {
  const std::vector<std::pair<const char*, const char*>> cases = {
      {"[]", "request"},
      {"{}", "field 'task'"},
      {R"({"task": "a"})", "needs either \"answer\""},
      {R"({"task": "a", "answer": "x", "code": "y"})", "needs either \"answer\""},
      {R"({"task": 5, "answer": "x"})", "field 'task'"},
      {R"({"task": {"id": "x"}, "answer": "x"})", "field 'task'"},
      {R"({"task": {"id": "x", "outputs": [{"name": "y", "type": "float32", "shape": [100000000]}],
            "oracle": {"program": "int main() {}"}}, "answer": "x"})",
       "more than 256 MiB"},
      {R"({"task": "a", "answer": "x", "sample": -1})", "field 'sample'"},
      {R"({"task": "a", "answer": "x", "reward": "stps"})", "reward: there is no"},
      {R"({"task": "a", "answer": "x", "timeout": 0})", "field 'timeout'"},
      {R"({"answers": []})", "field 'answers' is empty"},
      {R"({"answers": [{"task": "a", "answer": "x", "smple": 1}]})", "smple"},
  };
  for (const auto& [text, part] : cases) {
    const std::string message = support::error_of([&] { request_of(text); });
    EXPECT_NE(message.find(part), std::string::npos) << text << " -> " << message;
  }
}

TEST(JudgeRequest, ResultHasFeedbackAndReward) {
  judge::Verdict verdict;
  verdict.task = "scan";
  verdict.outcome = judge::Outcome::kCompileError;
  verdict.explanation = "it does not compile";
  verdict.compiler_messages = "a.cu(3): error: expected a \";\"";
  const JobRecord record{"1f", "scan", JudgeJobState::kDone, base::to_json_line(judge::json_of(verdict))};
  const base::Json failed = result_json(record, 7, {});
  EXPECT_EQ(failed["outcome"], "compile_error");
  EXPECT_EQ(failed["correct"], false);
  EXPECT_EQ(failed["sample"], 7);
  EXPECT_EQ(failed["verdict"]["sample"], 7);
  EXPECT_NE(failed["feedback"].get<std::string>().find("expected a"), std::string::npos);
  EXPECT_EQ(failed["reward"]["value"], 0);
  verdict.outcome = judge::Outcome::kCorrect;
  verdict.reward.compiled = 1;
  const base::Json correct = result_json(
      {"1f", "scan", JudgeJobState::kDone, base::to_json_line(judge::json_of(verdict))}, std::nullopt, {});
  EXPECT_EQ(correct["correct"], true);
  EXPECT_TRUE(correct["feedback"].is_null());
  EXPECT_EQ(correct["reward"]["value"], 1.2);
  EXPECT_EQ(result_json({"1f", "scan", JudgeJobState::kFailed, "no disk"}, std::nullopt, {})["error"],
            "no disk");
}

}  // namespace
}  // namespace cuset::serve
