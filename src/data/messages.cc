#include "data/messages.h"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset {
namespace {

constexpr std::string_view kContentRemedy =
    "a content is a string or a list of {\"type\": \"text\", \"text\": \"...\"}";
constexpr std::string_view kCallRemedy =
    "a call is {\"name\": \"...\", \"arguments\": {...}} as JSON text, or a list of those";

constexpr std::array<std::string_view, 4> kRoles = {"system", "user", "assistant", "tool"};

// Who speaks in ShareGPT's records, and the role that makes. "function_call" is an assistant calling tools.
constexpr std::string_view kCaller = "function_call";
constexpr std::array<std::pair<std::string_view, std::string_view>, 11> kSpeakers = {
    {{"human", "user"},
     {"user", "user"},
     {"gpt", "assistant"},
     {"assistant", "assistant"},
     {"chatgpt", "assistant"},
     {"bing", "assistant"},
     {"bard", "assistant"},
     {kCaller, "assistant"},
     {"system", "system"},
     {"observation", "tool"},
     {"tool", "tool"}}};

[[noreturn]] void refuse_name(const RecordField& field, std::string_view what,
                              std::span<const std::string_view> known) {
  const std::string& name = field.value.get_ref<const std::string&>();
  field.refuse(fmt::format("unknown {} {}{}", what, in_quotes(name), did_you_mean(name, known)),
               fmt::format("known are {}", fmt::join(known, ", ")));
}

std::string_view role_of(const RecordField& field) {
  const std::string& name = field.text("every message has a \"role\": system, user, assistant or tool");
  const auto role = std::find(kRoles.begin(), kRoles.end(), name);
  if (role == kRoles.end()) refuse_name(field, "role", kRoles);
  return *role;
}

std::string_view role_of_speaker(const RecordField& field) {
  const std::string& name = field.text("every turn has a \"from\", as \"human\" or \"gpt\"");
  std::array<std::string_view, kSpeakers.size()> known;
  for (size_t i = 0; i < kSpeakers.size(); ++i) {
    if (kSpeakers[i].first == name) return kSpeakers[i].second;
    known[i] = kSpeakers[i].first;
  }
  refuse_name(field, "speaker", known);
}

// A string, or the texts of a list of parts one after the other.
std::string content_of(const RecordField& field) {
  if (field.value.is_string()) return field.value.get<std::string>();
  if (!field.value.is_array()) field.refuse_type("a string", kContentRemedy);
  std::string joined;
  for (size_t i = 0; i < field.value.size(); ++i) {
    const RecordField part = field[i];
    if (!part.value.is_object()) part.refuse_type("an object", kContentRemedy);
    const std::string& type = part["type"].text(kContentRemedy);
    if (type != "text") {
      part["type"].refuse(fmt::format("a part is text, not {}", in_quotes(type)), kContentRemedy);
    }
    joined += part["text"].text(kContentRemedy);
  }
  return joined;
}

// The calls of a "function_call" turn as chat templates expect them.
Json tool_calls_in(const RecordField& field) {
  Json calls = field.json_in_text(kCallRemedy);
  if (!calls.is_array()) calls = Json::array({std::move(calls)});
  if (calls.empty()) field.refuse("is an empty list", kCallRemedy);
  for (Json& call : calls) {
    if (!call.is_object() || !value_at(call, "name").is_string() || value_at(call, "arguments").is_null()) {
      field.refuse("is no call of a function", kCallRemedy);
    }
    Json function = {{"name", value_at(call, "name")}, {"arguments", value_at(call, "arguments")}};
    call = {{"type", "function"}, {"function", std::move(function)}};
  }
  return calls;
}

// Appends behind what is there without looking for the key, which would be quadratic.
void keep_other_keys(const Json& from, Json& message) {
  const bool has_calls = message.contains("tool_calls");
  auto& members = message.get_ref<Json::object_t&>();
  for (const auto& [key, value] : from.get_ref<const Json::object_t&>()) {
    const bool is_read = key == "role" || key == "content" || key == "from" || key == "value";
    if (!is_read && !(has_calls && key == "tool_calls")) members.emplace_back(key, value);
  }
}

// {"role", "content", ...}, as OpenAI and Hugging Face have it.
Json read_message(const RecordField& field) {
  const std::string_view role = role_of(field["role"]);
  const RecordField content = field["content"];
  const bool may_be_silent = role == "assistant" && calls_tools(field.value);
  Json message = make_message(role, content.is_null() && may_be_silent ? "" : content_of(content));
  keep_other_keys(field.value, message);
  return message;
}

// {"from", "value", ...}, as ShareGPT has it.
Json read_turn(const RecordField& field) {
  const std::string_view role = role_of_speaker(field["from"]);
  const RecordField value = field["value"];
  const bool is_call = field["from"].value.get_ref<const std::string&>() == kCaller;
  Json message = make_message(role, is_call ? "" : content_of(value));
  if (is_call) message["tool_calls"] = tool_calls_in(value);
  keep_other_keys(field.value, message);
  return message;
}

}  // namespace

Json make_message(std::string_view role, std::string content) {
  return {{"role", role}, {"content", std::move(content)}};
}

bool calls_tools(const Json& message) {
  const Json& calls = value_at(message, "tool_calls");
  return calls.is_array() && !calls.empty();
}

void append_messages(const RecordField& list, Json& messages) {
  constexpr std::string_view remedy = "write a list of {\"role\": \"user\", \"content\": \"...\"}";
  if (!list.value.is_array()) list.refuse_type("a list of messages", remedy);
  if (list.value.empty()) list.refuse("is an empty list", remedy);
  for (size_t i = 0; i < list.value.size(); ++i) {
    const RecordField item = list[i];
    if (!item.value.is_object()) item.refuse_type("an object", remedy);
    const bool is_turn = item["role"].is_null() && !item["from"].is_null();
    messages.push_back(is_turn ? read_turn(item) : read_message(item));
  }
}

}  // namespace cuset
