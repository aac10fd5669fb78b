#include "serve/judging/nemo_gym.h"

#include <gtest/gtest.h>

#include "support/error_text.h"

namespace cuset::serve {
namespace {

constexpr const char* kResponse =
    R"("response": {"id": "r", "output": [{"type": "reasoning", "summary": []}, {"type": "message", "role": "assistant",
       "content": [{"type": "output_text", "text": "a", "annotations": []}, {"type": "output_text", "text": "b"}]}]})";

base::Json body_with(const std::string& fields) {
  return base::parse_json("{" + fields + ", " + kResponse + "}", "test");
}

TEST(NemoGym, AnswerAndTaskAreFound) {
  for (const char* fields :
       {R"("task": "scan")", R"("task_id": "scan")", R"("verifier_metadata": {"task_id": "scan"})"}) {
    const JudgeRequest request = nemo_gym_request_from_json(body_with(fields));
    EXPECT_EQ(request.answers.at(0).job.task, "scan");
    EXPECT_EQ(request.answers[0].job.answer, "ab");
  }
}

TEST(NemoGym, ReplyIsTheRequestWithItsReward) {
  const base::Json result = {{"outcome", "crash"},
                             {"correct", false},
                             {"explanation", "e"},
                             {"feedback", "f"},
                             {"reward", {{"value", 0.2}}}};
  const base::Json reply = nemo_gym_reply(body_with(R"("task": "scan")"), result);
  EXPECT_EQ(reply["reward"], 0.2);
  EXPECT_EQ(reply["outcome"], "crash");
  EXPECT_EQ(reply["response"]["id"], "r");
  base::Json unsupported = result;
  unsupported["reward"] = {{"value", nullptr}};
  EXPECT_EQ(nemo_gym_reply(base::Json::object(), unsupported)["reward"], 0.0);
}

TEST(NemoGym, WhatIsMissingIsNamed) {
  EXPECT_NE(
      support::error_of([] { nemo_gym_request_from_json(body_with(R"("x": 1)")); }).find("field 'task'"),
      std::string::npos);
  EXPECT_NE(
      support::error_of([] { nemo_gym_request_from_json({{"task", "scan"}}); }).find("field 'response'"),
      std::string::npos);
}

}  // namespace
}  // namespace cuset::serve
