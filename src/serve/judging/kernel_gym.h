// KernelGYM's interface (Dr. Kernel, arXiv 2602.05885), so that its clients can use this judge as they are.
//
//   POST /evaluate         {"task_id", "reference_code", "kernel_code", "entry_point": "Model", "timeout": 300, ...}
//                          -> {"task_id", "status", "compiled", "correctness", "decoy_kernel", "reference_runtime", "kernel_runtime",
//                              "speedup", "metadata", "error_message", "error_code", ...}; times in milliseconds
//   POST /evaluate/batch   {"batch_id", "tasks": [...]}
//   GET /status/{task_id}  {"task_id", "status": "pending", "processing", "completed", "failed" or "cancelled"}
//   GET /results/{task_id} as /evaluate replies
//
// The reference, a PyTorch module in KernelBench's form, becomes a task; the kernel is judged as an answer to it.
// "task_id" is the client's name of the job. How many trials and timed runs there are is the server's affair; fields about that are ignored.
#pragma once

#include <string>
#include <vector>

#include "base/json/json.h"
#include "serve/judging/judge_request.h"

namespace cuset::serve {

// Throw Error that names the field at fault.
JudgeRequest kernel_gym_request_from_json(const base::Json& body);
JudgeRequest kernel_gym_batch_from_json(const base::Json& body);

// `result` is result_json of the job; `name` is what the client calls it.
base::Json kernel_gym_evaluation(const std::string& name, const base::Json& result);
base::Json kernel_gym_status(const std::string& name, const base::Json& result);
base::Json kernel_gym_batch(const base::Json& batch_id, const std::vector<std::string>& names,
                            const base::Json& results);

}  // namespace cuset::serve
