#include "data/sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "data/messages.h"
#include "data/sample_format.h"

namespace cuset::data {
namespace {

constexpr std::string_view kTextRemedy = "write the text as one JSON string";
constexpr std::string_view kToolsRemedy = "\"tools\" is a list of JSON objects, or the same as JSON text";

void append_text_or_messages(const base::JsonCursor& field, std::string_view role, base::Json& messages) {
  if (field.value().is_array()) return append_messages(field, messages);
  messages.push_back(make_message(role, field.with_remedy("write a string or a list of messages").string()));
}

void append_history(const base::JsonCursor& field, base::Json& messages) {
  const base::JsonCursor history =
      field.with_remedy("\"history\" is a list of [\"user's text\", \"answer\"]");
  for (const base::JsonCursor& round : history.elements_or_none()) {
    if (!round.value().is_array() || round.value().size() != 2) round.refuse_type("a list of two strings");
    const std::vector<std::string> texts = round.strings();
    messages.push_back(make_message("user", texts[0]));
    messages.push_back(make_message("assistant", texts[1]));
  }
}

// `record` advises to write texts as strings.
void append_alpaca(const base::JsonCursor& record, base::Json& messages) {
  append_history(record.get("history"), messages);
  std::string prompt = record.get("instruction").string();
  if (const std::string input = record.get("input").string_or(""); !input.empty()) {
    prompt += (prompt.empty() ? "" : "\n") + input;
  }
  messages.push_back(make_message("user", std::move(prompt)));
  messages.push_back(make_message("assistant", record.get("output").string()));
}

base::Json conversation_of(const base::JsonCursor& record, SampleFormat format) {
  const FormKeys keys = keys_of(format);
  base::Json messages = base::Json::array();
  if (format == SampleFormat::kText) {
    messages.push_back(make_message("assistant", record.get(keys.response).string()));
  } else if (format == SampleFormat::kAlpaca) {
    append_alpaca(record, messages);
  } else if (keys.prompt.empty()) {
    append_messages(record.get(keys.response), messages);
  } else {
    append_text_or_messages(record.get(keys.prompt), "user", messages);
    append_text_or_messages(record.get(keys.response), "assistant", messages);
  }
  return messages;
}

void add_system(const base::JsonCursor& system, base::Json& messages) {
  const std::string text = system.string_or("");
  if (text.empty()) return;
  if (messages.front()["role"] != "system") {
    messages.insert(messages.begin(), make_message("system", text));
  } else if (messages.front()["content"] != text) {
    system.refuse("differs from the system message that opens the conversation", "keep one of the two");
  }
}

// `field` is where the end of the conversation was written.
void check_end(const base::JsonCursor& field, const base::Json& messages) {
  const base::Json& last = messages.back();
  const auto& role = last["role"].get_ref<const std::string&>();
  if (role != "assistant") {
    field.refuse(fmt::format("ends with the role {}, not with the assistant", base::in_quotes(role)),
                 "the last message must be the response to train on; remove what follows it");
  }
  if (calls_tools(last)) {
    field.refuse(
        "ends with a call of a tool",
        "the response to train on must be text; write the call into the content as the model does, or cut it");
  }
  if (messages.size() < 2) field.refuse("has nothing before the response", "put the user's message first");
}

// A document is not a conversation: what belongs to one would be lost.
void refuse_chat_keys(const base::JsonCursor& record) {
  for (const std::string_view key : {"system", "tools"}) {
    const base::JsonCursor field = record.get(key);
    if (!field.is_absent())
      field.refuse("has no meaning beside \"text\"", "put it into the text, or use messages");
  }
}

base::Json tools_of(const base::JsonCursor& record) {
  const base::JsonCursor field = record.get("tools").with_remedy(kToolsRemedy);
  if (field.value() == "") return nullptr;  // NOLINT(readability-container-size-empty): it may be no string
  base::Json tools = field.value().is_string() ? field.json_in_string() : field.value();
  if (tools.is_null() || tools == base::Json::array()) return nullptr;
  const auto is_object = [](const base::Json& tool) { return tool.is_object(); };
  if (!tools.is_array() || !std::all_of(tools.begin(), tools.end(), is_object)) {
    field.refuse("must be a list of objects");
  }
  return tools;
}

double weight_of(const base::JsonCursor& record) {
  const base::JsonCursor field =
      record.get("weight").with_remedy("\"weight\" multiplies the loss: 1 is usual, 0 leaves the sample out");
  const double weight = field.number_or(1);
  if (!std::isfinite(weight) || weight < 0) field.refuse_type("a finite number of 0 or more");
  return weight;
}

// Reasoning that stands beside the last message's content is part of what the model writes: it opens the
// response between think tags, as Qwen3 and DeepSeek-R1 write it.
void join_reasoning(base::Json& last) {
  const auto reasoning = last.find("reasoning_content");
  if (reasoning == last.end() || !reasoning->is_string()) return;
  const std::string thought = reasoning->get<std::string>();
  last.erase(reasoning);
  if (thought.empty()) return;
  last["content"] = "<think>\n" + thought + "\n</think>\n\n" + last["content"].get<std::string>();
}

}  // namespace

const std::string& Sample::response() const {
  CUSET_CHECK(!messages.empty(), "{}: a sample without messages", place);
  return messages.back().at("content").get_ref<const std::string&>();
}

Sample sample_from_record(const base::Json& record, std::string_view place) {
  const SampleFormat format = recognize_format(record, place);
  const base::JsonCursor fields = base::JsonCursor(record, place).with_remedy(kTextRemedy);
  Sample sample;
  sample.place = place;
  sample.messages = conversation_of(fields, format);
  if (format == SampleFormat::kText) {
    refuse_chat_keys(fields);
  } else {
    add_system(fields.get("system"), sample.messages);
    check_end(fields.get(keys_of(format).response), sample.messages);
  }
  join_reasoning(sample.messages.back());
  sample.tools = tools_of(fields);
  sample.weight = weight_of(fields);
  return sample;
}

Sample sample_from_source(std::string text, std::string_view place) {
  Sample sample;
  sample.messages = base::Json::array({make_message("assistant", std::move(text))});
  sample.place = place;
  sample.is_source = true;
  return sample;
}

}  // namespace cuset::data
