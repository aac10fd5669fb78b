// Training samples as people store them: JSONL records in one of six forms, recognized by their keys.
//
//   messages     {"messages": [{"role": "user", "content": "..."}, ...]}
//   completion   {"prompt": text or messages, "completion": text or messages}
//   response     {"prompt": text or messages, "response": text or messages}
//   alpaca       {"instruction": text, "input"?: text, "output": text, "history"?: [[user, answer], ...]}
//   sharegpt     {"conversations": [{"from": "human" | "gpt" | "system" | ..., "value": text}, ...]}
//   text         {"text": text}: a document to learn as it stands, for training a base model
//
// Any of them may carry "system" (a text that opens the conversation), "tools" (function descriptions) and
// "weight" (a number >= 0 that multiplies the sample's loss) and "vouched" (false: nobody has seen this kernel
// work, so the CUDA mask adds nothing to its tokens). A key whose value is null counts as absent;
// other keys are ignored. What comes out is one conversation whose last message is the assistant's: the
// response to learn; of a document it is the only one. docs/data.md has the details.
#pragma once

#include <string>
#include <string_view>

#include "base/json/json.h"

namespace cuset::data {

enum class SampleFormat { kMessages, kCompletion, kResponse, kAlpaca, kShareGpt, kText };

// "messages", "completion", "response", "alpaca", "sharegpt", "text".
std::string_view name_of(SampleFormat format);

// The form that the record's keys show. Throws Error opening with `place` ("data.jsonl:7") if they show none,
// naming the keys that are there and the nearest form; a record that shows two forms is refused too, and so is
// preference data: "chosen" and "rejected", or a "label" that is true or false.
SampleFormat recognize_format(const base::Json& record, std::string_view place);

struct Sample {
  // [{"role", "content", ...}, ...]: roles are system, user, assistant and tool; contents are strings. What
  // else a message held (tool_calls, name) follows unchanged; reasoning_content of the last one opens its
  // content between think tags. At least two, of a document one; the last is the assistant's.
  base::Json messages;
  base::Json tools = nullptr;  // function descriptions, or null
  double weight = 1.0;
  bool vouched = true;     // false: the CUDA mask gives this sample no weight (docs/objectives.md)
  std::string place;       // "data.jsonl:7"
  bool is_source = false;  // a document that is a CUDA source file: all of it is code

  bool is_document() const { return messages.size() == 1; }
  // The content of the last message.
  const std::string& response() const;
};

// Throws Error opening with `place` and the key at fault ("data.jsonl:7: messages[2].role: ...") for a value
// of the wrong type, an unknown role, a conversation without a prompt or that does not end with the
// assistant's text, a weight that is negative or not finite.
Sample sample_from_record(const base::Json& record, std::string_view place);

// A CUDA source file as a document.
Sample sample_from_source(std::string text, std::string_view place);

}  // namespace cuset::data
