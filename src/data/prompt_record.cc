#include "data/prompt_record.h"

#include "base/error.h"
#include "data/record_field.h"
#include "data/sample.h"

namespace cuset {
namespace {

std::string name_in(const Json& record, std::string_view place) {
  for (const char* key : {"task", "id"}) {
    const Json& value = value_at(record, key);
    if (value.is_null()) continue;
    if (value.is_string() && !value.get_ref<const std::string&>().empty()) return value.get<std::string>();
    if (value.is_number_integer()) return value.dump();
    throw Error("{}: {}: must be a text or a whole number", place, key)
        .with_remedy("it is the name of the prompt in the answers");
  }
  return "";
}

// An empty answer where the form has its place for one: every form is then a sample.
void add_empty_answer(Json& record) {
  if (value_at(record, "messages").is_array()) {
    record["messages"].push_back({{"role", "assistant"}, {"content", ""}});
  } else if (value_at(record, "conversations").is_array()) {
    record["conversations"].push_back({{"from", "gpt"}, {"value", ""}});
  } else if (!value_at(record, "instruction").is_null()) {
    record["output"] = "";
  } else if (!value_at(record, "prompt").is_null()) {
    record.erase("completion");
    record["response"] = "";
  }
}

}  // namespace

PromptRecord prompt_from_record(Json record, std::string_view place) {
  if (!record.is_object()) {
    throw Error("{}: a record is a JSON object, not {}", place, record.type_name())
        .with_remedy("write {{\"prompt\": \"...\"}}");
  }
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
    throw Error("{}: there is nothing to answer", place).with_remedy("the last message is the user's");
  }
  return prompt;
}

}  // namespace cuset
