#include "data/messages.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace cuset::data {
namespace {

constexpr std::string_view kContentRemedy =
    "a content is a string or a list of {\"type\": \"text\", \"text\": \"...\"} (or \"value\" for \"text\")";
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

std::string_view role_of(const base::JsonCursor& field) {
  const std::string& name =
      field.with_remedy("every message has a \"role\": system, user, assistant or tool").string();
  const auto role = std::find(kRoles.begin(), kRoles.end(), name);
  if (role == kRoles.end()) field.refuse_name("a role", kRoles);
  return *role;
}

std::string_view role_of_speaker(const base::JsonCursor& field) {
  const std::string& name = field.with_remedy("every turn has a \"from\", as \"human\" or \"gpt\"").string();
  std::array<std::string_view, kSpeakers.size()> known;
  for (size_t i = 0; i < kSpeakers.size(); ++i) {
    if (kSpeakers[i].first == name) return kSpeakers[i].second;
    known[i] = kSpeakers[i].first;
  }
  field.refuse_name("a speaker", known);
}

// The calls of a "function_call" turn as chat templates expect them.
base::Json tool_calls_in(const base::JsonCursor& field) {
  base::Json calls = field.with_remedy(kCallRemedy).json_in_string();
  if (!calls.is_array()) calls = base::Json::array({std::move(calls)});
  if (calls.empty()) field.refuse("must not be an empty list", kCallRemedy);
  for (base::Json& call : calls) {
    if (!call.is_object() || !base::json_member(call, "name").is_string() ||
        base::json_member(call, "arguments").is_null()) {
      field.refuse("is not a call of a function", kCallRemedy);
    }
    base::Json function = {{"name", base::json_member(call, "name")},
                           {"arguments", base::json_member(call, "arguments")}};
    call = {{"type", "function"}, {"function", std::move(function)}};
  }
  return calls;
}

// What a content holds. LLaMA-Factory's v1 keeps reasoning and calls of tools as parts of their own.
struct Content {
  std::string text;
  std::string reasoning;
  base::Json tool_calls = base::Json::array();
};

void append_part(const base::JsonCursor& part, Content& content) {
  part.expect_object();
  const base::JsonCursor type = part.get("type");
  const bool is_v1 = part.get("text").is_absent() && !part.get("value").is_absent();
  const base::JsonCursor value = part.get(is_v1 ? "value" : "text");
  if (type.value() == "text") {
    content.text += value.string();
  } else if (is_v1 && type.value() == "reasoning") {
    content.reasoning += value.string();
  } else if (is_v1 && type.value() == "tool_call") {
    for (base::Json& call : tool_calls_in(value)) content.tool_calls.push_back(std::move(call));
  } else {
    type.refuse_type("\"text\"");
  }
}

// A string, or the parts of a list one after the other.
Content content_of(const base::JsonCursor& field) {
  const base::JsonCursor content = field.with_remedy(kContentRemedy);
  if (!content.value().is_array()) return {content.string(), "", base::Json::array()};
  Content joined;
  for (const base::JsonCursor& part : content.elements()) append_part(part, joined);
  return joined;
}

base::Json message_with(std::string_view role, Content content) {
  base::Json message = make_message(role, std::move(content.text));
  if (!content.reasoning.empty()) message["reasoning_content"] = std::move(content.reasoning);
  if (!content.tool_calls.empty()) message["tool_calls"] = std::move(content.tool_calls);
  return message;
}

// Appends behind what is there without looking for the key, which would be quadratic.
void keep_other_keys(const base::Json& from, base::Json& message) {
  const bool has_calls = message.contains("tool_calls");
  const bool has_reasoning = message.contains("reasoning_content");
  auto& members = message.get_ref<base::Json::object_t&>();
  for (const auto& [key, value] : from.get_ref<const base::Json::object_t&>()) {
    const bool is_read = key == "role" || key == "content" || key == "from" || key == "value";
    const bool is_there = (has_calls && key == "tool_calls") || (has_reasoning && key == "reasoning_content");
    if (!is_read && !is_there) members.emplace_back(key, value);
  }
}

// {"role", "content", ...}, as OpenAI and Hugging Face have it.
base::Json read_message(const base::JsonCursor& field) {
  const std::string_view role = role_of(field.get("role"));
  const base::JsonCursor content = field.get("content");
  const bool may_be_silent = role == "assistant" && calls_tools(field.value());
  base::Json message =
      message_with(role, content.is_absent() && may_be_silent ? Content{} : content_of(content));
  keep_other_keys(field.value(), message);
  return message;
}

// {"from", "value", ...}, as ShareGPT has it.
base::Json read_turn(const base::JsonCursor& field) {
  const std::string_view role = role_of_speaker(field.get("from"));
  const base::JsonCursor value = field.get("value");
  const bool is_call = field.get("from").string() == kCaller;
  base::Json message = message_with(role, is_call ? Content{} : content_of(value));
  if (is_call) message["tool_calls"] = tool_calls_in(value);
  keep_other_keys(field.value(), message);
  return message;
}

}  // namespace

base::Json make_message(std::string_view role, std::string content) {
  return {{"role", role}, {"content", std::move(content)}};
}

bool calls_tools(const base::Json& message) {
  const base::Json& calls = base::json_member(message, "tool_calls");
  return calls.is_array() && !calls.empty();
}

void append_messages(const base::JsonCursor& field, base::Json& messages) {
  const base::JsonCursor list =
      field.with_remedy("write a list of {\"role\": \"user\", \"content\": \"...\"}");
  if (!list.value().is_array()) list.refuse_type("a list of messages");
  if (list.value().empty()) list.refuse("must not be an empty list");
  for (const base::JsonCursor& item : list.elements()) {
    item.expect_object();
    const bool is_turn = item.get("role").is_absent() && !item.get("from").is_absent();
    messages.push_back(is_turn ? read_turn(item) : read_message(item));
  }
}

}  // namespace cuset::data
