// POST /aggregate_metrics, which NeMo Gym's agents ask of a resources server when all rollouts of an evaluation are there.
//
//   {"verify_responses": [{"_ng_task_index": 0, "_ng_rollout_index": 1, "reward": 1.0, "correct": true,
//                          "response": {"usage": {"output_tokens": 512}}}]}
//
// The reply has mean, max, min, median and standard deviation of every number: of each task's rollouts, and of all
// ("mean/reward").
#pragma once

#include "base/json/json.h"

namespace cuset::serve {

// Throws Error that names the field at fault.
base::Json nemo_gym_metrics(const base::Json& body);

}  // namespace cuset::serve
