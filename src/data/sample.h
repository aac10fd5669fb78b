// Training samples as people store them: JSONL records in one of five forms, recognised by their keys.
//
//   messages     {"messages": [{"role": "user", "content": "..."}, ...], "tools"?: [...]}
//   completion   {"prompt": text or messages, "completion": text or messages, "system"?: text}
//   response     {"prompt": text, "response": text, "system"?: text}
//   alpaca       {"instruction": text, "input"?: text, "output": text, "system"?: text, "history"?: [[user,
//   answer], ...]} sharegpt     {"conversations": [{"from": "human" | "gpt" | "system" | ..., "value": text},
//   ...], "system"?, "tools"?}
//
// Any of them may carry "weight", a number >= 0 that multiplies the sample's loss. Other keys are kept out of
// the way. What comes out is one conversation whose last message is the assistant's: the response to learn.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace cuset {

enum class SampleFormat { kMessages, kCompletion, kResponse, kAlpaca, kShareGpt };

// "messages", "completion", "response", "alpaca", "sharegpt".
std::string_view name_of(SampleFormat format);

// The form that the record's keys show. Throws Error opening with `place` ("data.jsonl:7") if they show none,
// naming the keys that are there and the nearest form; a record that shows two forms is refused too.
SampleFormat recognise_format(const Json& record, std::string_view place);

struct Sample {
  Json messages;         // [{"role", "content"}, ...]; the last one is the assistant's
  Json tools = nullptr;  // function descriptions, or null
  double weight = 1.0;
  std::string place;  // "data.jsonl:7"

  // The content of the last message.
  const std::string& response() const;
};

// Throws Error opening with `place` for a value of the wrong type, an unknown role, a conversation that does
// not end with the assistant, a negative or infinite weight: with the key at fault.
Sample sample_from_record(const Json& record, std::string_view place);

}  // namespace cuset
