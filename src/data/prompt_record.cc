#include "data/prompt_record.h"

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "data/sample.h"

namespace cuset::data {
namespace {

std::string name_in(const base::Json& record, std::string_view place) {
  for (const char* key : {"task", "id"}) {
    const base::JsonCursor name = base::JsonCursor(record, place).get(key);
    if (name.is_absent()) continue;
    if (!base::json_string(record, key).empty()) return name.string();
    if (name.value().is_number_integer()) return name.value().dump();
    name.with_remedy("it is the name of the prompt in the answers")
        .refuse_type("a string that is not empty, or a whole number");
  }
  return "";
}

// An empty answer where the form has its place for one: every form is then a sample.
void add_empty_answer(base::Json& record) {
  if (base::json_member(record, "messages").is_array()) {
    record["messages"].push_back({{"role", "assistant"}, {"content", ""}});
  } else if (base::json_member(record, "conversations").is_array()) {
    record["conversations"].push_back({{"from", "gpt"}, {"value", ""}});
  } else if (!base::json_member(record, "instruction").is_null()) {
    record["output"] = "";
  } else if (!base::json_member(record, "prompt").is_null()) {
    record.erase("completion");
    record["response"] = "";
  }
}

}  // namespace

PromptRecord prompt_from_record(base::Json record, std::string_view place) {
  base::JsonCursor(record, place).with_remedy("write {\"prompt\": \"...\"}").expect_object();
  PromptRecord prompt;
  prompt.name = name_in(record, place);
  add_empty_answer(record);
  Sample sample = sample_from_record(record, place);
  prompt.messages = std::move(sample.messages);
  prompt.tools = std::move(sample.tools);
  while (!prompt.messages.empty() && prompt.messages.back()["role"] == "assistant") {
    prompt.messages.erase(prompt.messages.size() - 1);
  }
  if (prompt.messages.empty()) {
    throw base::Error("{}: there is nothing to answer", place).with_remedy("the last message is the user's");
  }
  return prompt;
}

}  // namespace cuset::data
