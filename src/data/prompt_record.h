// A record that asks for an answer instead of giving one: any form of data/sample.h with its response absent
// or left aside.
//
//   {"prompt": text or messages}   {"instruction": text, "input"?: text}
//   {"messages": [..., user's]}    {"conversations": [..., human's]}
//
// "system" and "tools" as there. "task" or "id" (a text or a whole number) names it.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace cuset::data {

struct PromptRecord {
  std::string name;            // empty where the record has none
  base::Json messages;         // [{"role", "content", ...}, ...], the last is to be answered
  base::Json tools = nullptr;  // function descriptions, or null
};

// Throws Error opening with `place` ("prompts.jsonl:7") and the key at fault.
PromptRecord prompt_from_record(base::Json record, std::string_view place);

}  // namespace cuset::data
