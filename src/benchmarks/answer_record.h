// One record of an answers file, in any of the forms that docs/verify.md lists: whose answer it is is told
// by its first key among task, task_id, name, problem_id and id; what it holds by the first among
//
//   text                          the answer
//   code1 .. codeN                samples 0 .. N-1; null: the model gave none
//   outputs, solutions            a list of samples
//   files                         [{"path", "content"}, ...]: one answer, its files one after the other
//   completion, generated_completion, code, response, output, generated_text
//
// Keys that are none of these are ignored.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json/json.h"

namespace cuset::benchmarks {

struct AnswerRecord {
  struct Sample {
    std::string text;
    int64_t tokens = -1;
    int64_t reasoning_tokens = -1;
  };

  std::string task;
  std::optional<uint32_t> first_sample;  // of `samples`; nothing: they follow those read before
  std::vector<Sample> samples;           // one at least, unless the record is not about CUDA (ParEval)
};

// Throws Error that opens with `place` and names the key at fault.
AnswerRecord answer_record_from_json(const base::Json& record, const std::string& place);

}  // namespace cuset::benchmarks
