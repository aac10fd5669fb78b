// The body of POST /judge, and how verdicts are told. docs/serve.md has both.
//
//   {"task": id, "answer": text, "sample": n, "wait": true}        one answer
//   {"answers": [{"task": id, "answer": text}, ...], "wait": false}  many
//
// A task may be an object in the form of docs/tasks.md instead of an id.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"
#include "reinforce/reward.h"
#include "serve/judging/judge_queue.h"

namespace cuset::serve {

struct AnswerToJudge {
  JudgeJob job;
  std::optional<int64_t> sample;  // echoed
};

struct JudgeRequest {
  std::vector<AnswerToJudge> answers;
  bool is_single = false;  // the reply is one result, not a list
  bool wait = true;
  double time_limit = 0;  // seconds of waiting; 0: none
  reinforce::RewardSettings reward;
};

// Throws Error that names the field at fault. Inline tasks are checked; ids of tasks are not.
JudgeRequest judge_request_from_json(const base::Json& body);

// {"id", "task", "sample", "state"} and, where it is done, {"outcome", "correct", "explanation", "feedback", "reward",
// "verdict"}; where it has failed, {"error"}. `feedback` is what a model may be told (reinforce/feedback.h).
base::Json result_json(const JobRecord& record, const std::optional<int64_t>& sample,
                       const reinforce::RewardSettings& reward);

}  // namespace cuset::serve
