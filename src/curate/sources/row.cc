#include "curate/sources/row.h"

#include "base/json/json_cursor.h"
#include "cuda_source/answer.h"
#include "cuda_source/reasoning.h"

namespace cuset::curate {
namespace {

void set_unless_empty(base::Json& record, const char* key, const std::string& value) {
  if (!value.empty()) record[key] = value;
}

// {"role", "content"} and nothing else.
bool is_plain(const base::Json& message, std::string_view role) {
  return message.size() == 2 && message["role"] == role;
}

}  // namespace

const std::string& Row::response() const {
  return messages.back().at("content").get_ref<const std::string&>();
}

std::string Row::prompt() const {
  std::string text;
  for (size_t i = 0; i + 1 < messages.size(); ++i)
    text += (i == 0 ? "" : "\n") + messages[i].at("content").get<std::string>();
  return text;
}

std::string Row::program() const {
  if (is_source) return response();
  cuda_source::Extraction extraction = cuda_source::extract_code(response());
  return extraction.program ? std::move(extraction.program->code) : "";
}

int64_t Row::reasoning_words() const {
  const std::string& text = response();
  int64_t words = 0;
  for (const base::ByteSpan& span : cuda_source::split_reasoning(text).reasoning) {
    bool in_word = false;
    for (size_t i = span.begin; i < span.end; ++i) {
      const bool is_blank = text[i] == ' ' || text[i] == '\n' || text[i] == '\t' || text[i] == '\r';
      words += !is_blank && !in_word ? 1 : 0;
      in_word = !is_blank;
    }
  }
  return words;
}

base::Json json_of(const Row& row) {
  base::Json record = {
      {"id", row.id}, {"source", row.source}, {"place", row.place}, {"messages", row.messages}};
  if (!row.tools.is_null()) record["tools"] = row.tools;
  if (row.weight != 1) record["weight"] = row.weight;
  set_unless_empty(record, "task", row.task);
  set_unless_empty(record, "family", row.family);
  set_unless_empty(record, "license", row.license);
  if (row.tokens >= 0) record["tokens"] = row.tokens;
  if (row.reasoning_tokens >= 0) record["reasoning_tokens"] = row.reasoning_tokens;
  if (row.is_source) record["is_source"] = true;
  return record;
}

Row row_from_json(const base::Json& record, const std::string& place) {
  const base::JsonCursor fields(record, place);
  Row row;
  row.id = fields.at("id").string();
  row.source = fields.at("source").string();
  row.place = fields.at("place").string();
  row.messages = fields.at("messages").value();
  if (row.messages.empty() || !base::json_member(row.messages.back(), "content").is_string())
    fields.at("messages").refuse_type("a list of messages");
  row.tools = fields.get("tools").value();
  row.weight = fields.get("weight").number_or(1);
  row.task = fields.get("task").string_or("");
  row.family = fields.get("family").string_or("");
  row.license = fields.get("license").string_or("");
  row.tokens = fields.get("tokens").integer_or(-1, -1, INT64_MAX);
  row.reasoning_tokens = fields.get("reasoning_tokens").integer_or(-1, -1, INT64_MAX);
  row.is_source = fields.get("is_source").boolean_or(false);
  return row;
}

data::Sample sample_of(const Row& row) {
  return {.messages = row.messages, .tools = row.tools, .place = row.place, .is_source = row.is_source};
}

base::Json training_record(const Row& row) {
  const base::Json& messages = row.messages;
  base::Json record = {{"id", row.id}};
  if (row.is_document()) {
    record["text"] = row.response();
  } else if (messages.size() == 2 && is_plain(messages[0], "user") && is_plain(messages[1], "assistant") &&
             row.tools.is_null()) {
    record["prompt"] = messages[0]["content"];
    record["response"] = messages[1]["content"];
  } else {
    record["messages"] = messages;
    if (!row.tools.is_null()) record["tools"] = row.tools;
  }
  if (row.weight != 1) record["weight"] = row.weight;
  return record;
}

}  // namespace cuset::curate
