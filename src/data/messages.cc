#include "data/messages.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.h"

namespace cuset::data {
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

// A string, or the texts of a list of parts one after the other.
std::string content_of(const base::JsonCursor& field) {
  const base::JsonCursor content = field.with_remedy(kContentRemedy);
  if (!content.value().is_array()) return content.string();
  std::string joined;
  for (const base::JsonCursor& part : content.elements()) {
    part.expect_object();
    if (part.get("type").string() != "text") part.get("type").refuse_type("\"text\"");
    joined += part.get("text").string();
  }
  return joined;
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

// Appends behind what is there without looking for the key, which would be quadratic.
void keep_other_keys(const base::Json& from, base::Json& message) {
  const bool has_calls = message.contains("tool_calls");
  auto& members = message.get_ref<base::Json::object_t&>();
  for (const auto& [key, value] : from.get_ref<const base::Json::object_t&>()) {
    const bool is_read = key == "role" || key == "content" || key == "from" || key == "value";
    if (!is_read && !(has_calls && key == "tool_calls")) members.emplace_back(key, value);
  }
}

// {"role", "content", ...}, as OpenAI and Hugging Face have it.
base::Json read_message(const base::JsonCursor& field) {
  const std::string_view role = role_of(field.get("role"));
  const base::JsonCursor content = field.get("content");
  const bool may_be_silent = role == "assistant" && calls_tools(field.value());
  base::Json message = make_message(role, content.is_absent() && may_be_silent ? "" : content_of(content));
  keep_other_keys(field.value(), message);
  return message;
}

// {"from", "value", ...}, as ShareGPT has it.
base::Json read_turn(const base::JsonCursor& field) {
  const std::string_view role = role_of_speaker(field.get("from"));
  const base::JsonCursor value = field.get("value");
  const bool is_call = field.get("from").string() == kCaller;
  base::Json message = make_message(role, is_call ? "" : content_of(value));
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
