#include "data/sample.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/error.h"
#include "data/messages.h"
#include "data/record_field.h"
#include "data/sample_format.h"

namespace cuset {
namespace {

constexpr std::string_view kTextRemedy = "write the text as one JSON string";
constexpr std::string_view kToolsRemedy = "\"tools\" is a list of JSON objects, or the same as JSON text";

void append_text_or_messages(const RecordField& field, std::string_view role, Json& messages) {
  if (field.value.is_array()) return append_messages(field, messages);
  messages.push_back(make_message(role, field.text("write a string or a list of messages")));
}

void append_history(const RecordField& history, Json& messages) {
  constexpr std::string_view remedy = "\"history\" is a list of [\"user's text\", \"answer\"]";
  if (history.is_null()) return;
  if (!history.value.is_array()) history.refuse_type("a list", remedy);
  for (size_t i = 0; i < history.value.size(); ++i) {
    const RecordField round = history[i];
    if (!round.value.is_array() || round.value.size() != 2) round.refuse("must be two strings", remedy);
    messages.push_back(make_message("user", round[size_t{0}].text(remedy)));
    messages.push_back(make_message("assistant", round[size_t{1}].text(remedy)));
  }
}

void append_alpaca(const RecordField& record, Json& messages) {
  append_history(record["history"], messages);
  std::string prompt = record["instruction"].text(kTextRemedy);
  if (const RecordField input = record["input"]; !input.is_null() && !input.text(kTextRemedy).empty()) {
    prompt += (prompt.empty() ? "" : "\n") + input.text(kTextRemedy);
  }
  messages.push_back(make_message("user", std::move(prompt)));
  messages.push_back(make_message("assistant", record["output"].text(kTextRemedy)));
}

Json conversation_of(const RecordField& record, SampleFormat format) {
  const FormKeys keys = keys_of(format);
  Json messages = Json::array();
  if (format == SampleFormat::kText) {
    messages.push_back(make_message("assistant", record[keys.response].text(kTextRemedy)));
  } else if (format == SampleFormat::kAlpaca) {
    append_alpaca(record, messages);
  } else if (keys.prompt.empty()) {
    append_messages(record[keys.response], messages);
  } else {
    append_text_or_messages(record[keys.prompt], "user", messages);
    append_text_or_messages(record[keys.response], "assistant", messages);
  }
  return messages;
}

void add_system(const RecordField& system, Json& messages) {
  if (system.is_null()) return;
  const std::string& text = system.text(kTextRemedy);
  if (text.empty()) return;
  if (messages.front()["role"] != "system") {
    messages.insert(messages.begin(), make_message("system", text));
  } else if (messages.front()["content"] != text) {
    system.refuse("the conversation opens with another system message", "keep one of the two");
  }
}

// `field` is where the end of the conversation was written.
void check_end(const RecordField& field, const Json& messages) {
  const Json& last = messages.back();
  const auto& role = last["role"].get_ref<const std::string&>();
  if (role != "assistant") {
    field.refuse(
        fmt::format("the conversation ends with the role {}, not with the assistant", in_quotes(role)),
        "the last message is the response to learn; cut what follows it");
  }
  if (calls_tools(last)) {
    field.refuse(
        "the conversation ends with a call of a tool",
        "the response to learn is text; write the call into the content as the model does, or cut it");
  }
  if (messages.size() < 2) field.refuse("has nothing before the response", "put the user's message first");
}

// A document is no conversation: what belongs to one would be lost.
void refuse_chat_keys(const RecordField& record) {
  for (const std::string_view key : {"system", "tools"}) {
    const RecordField field = record[key];
    if (!field.is_null())
      field.refuse("has no meaning beside \"text\"", "put it into the text, or use messages");
  }
}

Json tools_of(const RecordField& field) {
  if (field.value == "") return nullptr;  // NOLINT(readability-container-size-empty): it may be no string
  Json tools = field.value.is_string() ? field.json_in_text(kToolsRemedy) : field.value;
  if (tools.is_null() || tools == Json::array()) return nullptr;
  const auto is_object = [](const Json& tool) { return tool.is_object(); };
  if (!tools.is_array() || !std::all_of(tools.begin(), tools.end(), is_object)) {
    field.refuse("must be a list of objects", kToolsRemedy);
  }
  return tools;
}

double weight_of(const RecordField& field) {
  constexpr std::string_view remedy = "\"weight\" multiplies the loss: 1 is usual, 0 leaves the sample out";
  if (field.is_null()) return 1.0;
  if (!field.value.is_number()) field.refuse_type("a number", remedy);
  const double weight = field.value.get<double>();
  if (!std::isfinite(weight) || weight < 0) {
    field.refuse(fmt::format("must be finite and at least 0, not {}", weight), remedy);
  }
  return weight;
}

// Reasoning that stands beside the last message's content is part of what the model writes: it opens the
// response between think tags, as Qwen3 and DeepSeek-R1 write it.
void join_reasoning(Json& last) {
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

Sample sample_from_record(const Json& record, std::string_view place) {
  const SampleFormat format = recognise_format(record, place);
  const RecordField fields = {record, place, ""};
  Sample sample;
  sample.place = place;
  sample.messages = conversation_of(fields, format);
  if (format == SampleFormat::kText) {
    refuse_chat_keys(fields);
  } else {
    add_system(fields["system"], sample.messages);
    check_end(fields[keys_of(format).response], sample.messages);
  }
  join_reasoning(sample.messages.back());
  sample.tools = tools_of(fields["tools"]);
  sample.weight = weight_of(fields["weight"]);
  return sample;
}

Sample sample_from_source(std::string text, std::string_view place) {
  Sample sample;
  sample.messages = Json::array({make_message("assistant", std::move(text))});
  sample.place = place;
  sample.is_source = true;
  return sample;
}

}  // namespace cuset
