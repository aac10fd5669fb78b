#include "serve/judging/kernel_gym.h"

#include <gtest/gtest.h>

#include "judge/verdict/verdict.h"
#include "support/error_text.h"
#include "tasks/task.h"

namespace cuset::serve {
namespace {

base::Json kernel_gym_body() {
  return {{"task_id", "rl_1"},
          {"reference_code", "class Net(nn.Module): pass\ndef get_inputs(): return []"},
          {"kernel_code", "class NetNew: pass"},
          {"entry_point", "Net"},
          {"backend", "triton"},
          {"num_correct_trials", 5},
          {"detect_decoy_kernel", true},
          {"timeout", 120},
          {"reference_backend", nullptr}};
}

base::Json result_with(judge::Verdict verdict) {
  JobRecord record{"id", "kernelgym/Net", JudgeJobState::kDone, base::to_json_line(judge::json_of(verdict))};
  return result_json(record, std::nullopt, {});
}

TEST(KernelGym, ReferenceBecomesATaskOfKernelBench) {
  const JudgeRequest request = kernel_gym_request_from_json(kernel_gym_body());
  const JudgeJob& job = request.answers.at(0).job;
  EXPECT_EQ(job.name, "rl_1");
  const tasks::Task task = tasks::task_from_json(base::parse_json(job.inline_task, "task"), "task");
  EXPECT_EQ(task.kind, tasks::AnswerKind::kModule);
  EXPECT_EQ(task.time_limit, 120);
  EXPECT_TRUE(task.module.ends_with("\nModel = Net\n")) << task.module;
  EXPECT_NE(task.module.find("def get_init_inputs():"), std::string::npos);
  EXPECT_TRUE(job.answer.ends_with("\nModelNew = NetNew\n")) << job.answer;
}

TEST(KernelGym, WrongFieldsAreNamed) {
  const auto problem_with = [](const char* key, const base::Json& value) {
    base::Json body = kernel_gym_body();
    body[key] = value;
    return support::error_of([&] { kernel_gym_request_from_json(body); });
  };
  EXPECT_NE(problem_with("entry_point", "Net)\nimport os").find("entry_point"), std::string::npos);
  EXPECT_NE(problem_with("entry_point", "Other").find("has no `class Other`"), std::string::npos);
  EXPECT_NE(problem_with("timeout", 1).find("timeout"), std::string::npos);
  EXPECT_NE(problem_with("workflow", "kernel_simple").find("workflow"), std::string::npos);
  EXPECT_NE(problem_with("task_id", "a/b").find("task_id"), std::string::npos);
  EXPECT_NE(problem_with("kernel_code", 7).find("kernel_code"), std::string::npos);
}

TEST(KernelGym, VerdictIsToldInItsWords) {
  judge::Verdict verdict;
  verdict.outcome = judge::Outcome::kCorrect;
  verdict.timing = judge::Timing{.median_us = 500, .reference_us = 1000, .speedup = 2};
  base::Json told = kernel_gym_evaluation("rl_1", result_with(verdict));
  EXPECT_EQ(told["task_id"], "rl_1");
  EXPECT_EQ(told["status"], "completed");
  EXPECT_EQ(told["correctness"], true);
  EXPECT_EQ(told["reference_runtime"], 1.0);
  EXPECT_EQ(told["speedup"], 2.0);
  EXPECT_TRUE(told["error_message"].is_null());
  verdict = {};
  verdict.outcome = judge::Outcome::kCompileError;
  told = kernel_gym_evaluation("rl_1", result_with(verdict));
  EXPECT_EQ(told["status"], "completed");
  EXPECT_EQ(told["compiled"], false);
  EXPECT_EQ(told["error_code"], "COMPILATION_ERROR");
  EXPECT_TRUE(told["error_message"].is_string());
  verdict.outcome = judge::Outcome::kNoKernel;
  EXPECT_EQ(kernel_gym_evaluation("rl_1", result_with(verdict))["decoy_kernel"], true);
  verdict.outcome = judge::Outcome::kUnsupported;
  EXPECT_EQ(kernel_gym_evaluation("rl_1", result_with(verdict))["status"], "failed");
}

TEST(KernelGym, StatusFollowsTheJob) {
  const auto status_of = [](JudgeJobState state) {
    return kernel_gym_status("n", result_json({"id", "t", state, "no disk"}, std::nullopt, {}))["status"];
  };
  EXPECT_EQ(status_of(JudgeJobState::kWaiting), "pending");
  EXPECT_EQ(status_of(JudgeJobState::kRunning), "processing");
  EXPECT_EQ(status_of(JudgeJobState::kFailed), "failed");
  EXPECT_EQ(status_of(JudgeJobState::kCanceled), "cancelled");
}

}  // namespace
}  // namespace cuset::serve
