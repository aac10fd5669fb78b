// POST /verify as NeMo Gym's agents send it to a resources server, and what they expect back.
//
//   {"responses_create_params": {...}, "response": {"output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}]},
//    "task": id}
//
// The reply is the request with "reward" and what the judge says beside it.
#pragma once

#include "base/json/json.h"
#include "serve/judging/judge_request.h"

namespace cuset::serve {

// The answer is the text of all messages of the response. The task's id is "task" or "task_id", at the top or in
// "verifier_metadata". Throws Error that names the field at fault.
JudgeRequest nemo_gym_request_from_json(const base::Json& body);

// `result` is result_json of the answer.
base::Json nemo_gym_reply(base::Json body, const base::Json& result);

}  // namespace cuset::serve
