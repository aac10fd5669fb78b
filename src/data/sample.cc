#include "data/sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.h"
#include "base/nearest_name.h"

namespace cuset {
namespace {

// --- The forms and their keys ---

struct Form {
  std::string_view name;
  std::string_view prompt_key;  // empty where the other key holds the whole conversation
  std::string_view response_key;
};

// In the order of SampleFormat.
constexpr std::array<Form, 5> kForms = {{{"messages", "", "messages"},
                                         {"completion", "prompt", "completion"},
                                         {"response", "prompt", "response"},
                                         {"alpaca", "instruction", "output"},
                                         {"sharegpt", "", "conversations"}}};

constexpr std::string_view kFormsRemedy =
    "a record has \"messages\", or \"conversations\", or \"prompt\" with \"completion\" or \"response\", or "
    "\"instruction\" with \"output\"";

// Records have a dozen keys; of one with a million, a few are enough to describe it.
constexpr size_t kKeysShown = 8;
constexpr size_t kKeysCompared = 64;

const Form& form_of(SampleFormat format) { return kForms.at(static_cast<size_t>(format)); }

const Json& value_at(const Json& object, std::string_view key) {
  static const Json null;
  const auto found = object.find(std::string(key));
  return found == object.end() ? null : *found;
}

std::vector<std::string_view> missing_keys(const Json& record, const Form& form) {
  std::vector<std::string_view> missing;
  for (const std::string_view key : {form.prompt_key, form.response_key}) {
    if (!key.empty() && value_at(record, key).is_null()) missing.push_back(key);
  }
  return missing;
}

std::vector<std::string> first_keys(const Json& record, size_t limit) {
  std::vector<std::string> keys;
  for (auto item = record.begin(); item != record.end() && keys.size() < limit; ++item) {
    if (!item->is_null()) keys.push_back(item.key());
  }
  return keys;
}

// "; nearest is completion, which lacks 'prompt'; did you mean 'prompt' by 'promt'?", or nothing.
std::string describe_nearest_form(const Json& record) {
  const std::vector<std::string> keys = first_keys(record, kKeysCompared);
  double most_alike = 0;
  std::string description;
  for (const Form& form : kForms) {
    const std::vector<std::string_view> missing = missing_keys(record, form);
    const double keys_wanted = form.prompt_key.empty() ? 1 : 2;
    double alike = keys_wanted - static_cast<double>(missing.size());
    std::string lacking;
    for (const std::string_view key : missing) {
      lacking += fmt::format("{} '{}'", lacking.empty() ? ", which lacks" : " and", key);
    }
    for (const std::string_view key : missing) {
      const std::optional<std::string> meant = nearest_name(key, keys);
      if (!meant) continue;
      alike += 0.5;
      lacking += fmt::format("; did you mean '{}' by {}?", key, in_quotes(*meant));
    }
    if (alike / keys_wanted <= most_alike) continue;
    most_alike = alike / keys_wanted;
    description = fmt::format("; nearest is {}{}", form.name, lacking);
  }
  return description;
}

std::string describe_keys(const Json& record) {
  std::string text;
  for (const std::string& key : first_keys(record, kKeysShown)) {
    text += (text.empty() ? "the keys " : ", ") + in_quotes(key, 30);
  }
  if (text.empty()) return "a record without values shows";
  if (record.size() > kKeysShown) text += ", ...";
  return text + " show";
}

// --- Fields: a value and the way to it ---

// Borrows the value and the place.
struct Field {
  const Json& value;
  std::string_view place;  // "data.jsonl:7"
  std::string key;         // "messages[2].role"; empty for the record itself

  // The value of a key of an object; null where it is absent.
  Field operator[](std::string_view name) const {
    return {value_at(value, name), place, key.empty() ? std::string(name) : fmt::format("{}.{}", key, name)};
  }
  Field operator[](size_t index) const { return {value[index], place, fmt::format("{}[{}]", key, index)}; }

  bool is_null() const { return value.is_null(); }

  [[noreturn]] void refuse(std::string_view reason, std::string_view remedy) const {
    throw Error("{}: {}: {}", place, key, reason).with_remedy("{}", remedy);
  }

  [[noreturn]] void refuse_type(std::string_view wanted, std::string_view remedy) const {
    if (is_null()) refuse("is missing", remedy);
    refuse(fmt::format("must be {}, not {}", wanted, value.type_name()), remedy);
  }

  const std::string& text(std::string_view remedy) const {
    if (!value.is_string()) refuse_type("a string", remedy);
    return value.get_ref<const std::string&>();
  }
};

constexpr std::string_view kTextRemedy = "write the text as one JSON string";
constexpr std::string_view kContentRemedy =
    "a content is a string or a list of {\"type\": \"text\", \"text\": \"...\"}";
constexpr std::string_view kCallRemedy =
    "a call is {\"name\": \"...\", \"arguments\": {...}} as JSON text, or a list of those";
constexpr std::string_view kToolsRemedy = "\"tools\" is a list of JSON objects, or the same as JSON text";

Json json_in(const Field& field, std::string_view remedy) {
  std::variant<Json, JsonFault> parsed = try_parse_json(field.text(remedy));
  if (const auto* fault = std::get_if<JsonFault>(&parsed)) {
    field.refuse(fmt::format("is not valid JSON: {}", fault->reason), remedy);
  }
  return std::get<Json>(std::move(parsed));
}

// --- Messages ---

constexpr std::array<std::string_view, 4> kRoles = {"system", "user", "assistant", "tool"};

// Who speaks in ShareGPT's records, and the role that makes. "function_call" is an assistant that calls
// tools.
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

[[noreturn]] void refuse_name(const Field& field, std::string_view what,
                              std::span<const std::string_view> known) {
  const std::string& name = field.value.get_ref<const std::string&>();
  field.refuse(fmt::format("unknown {} {}{}", what, in_quotes(name), did_you_mean(name, known)),
               fmt::format("known are {}", fmt::join(known, ", ")));
}

std::string_view role_of(const Field& field) {
  const std::string& name = field.text("every message has a \"role\": system, user, assistant or tool");
  const auto* role = std::find(kRoles.begin(), kRoles.end(), name);
  if (role == kRoles.end()) refuse_name(field, "role", kRoles);
  return *role;
}

std::string_view role_of_speaker(const Field& field) {
  const std::string& name = field.text("every turn has a \"from\", as \"human\" or \"gpt\"");
  std::array<std::string_view, kSpeakers.size()> known;
  for (size_t i = 0; i < kSpeakers.size(); ++i) {
    if (kSpeakers[i].first == name) return kSpeakers[i].second;
    known[i] = kSpeakers[i].first;
  }
  refuse_name(field, "speaker", known);
}

// A string, or the texts of a list of parts one after the other.
std::string content_of(const Field& field) {
  if (field.value.is_string()) return field.value.get<std::string>();
  if (!field.value.is_array()) field.refuse_type("a string", kContentRemedy);
  std::string joined;
  for (size_t i = 0; i < field.value.size(); ++i) {
    const Field part = field[i];
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
Json tool_calls_in(const Field& field) {
  Json calls = json_in(field, kCallRemedy);
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

Json make_message(std::string_view role, std::string content) {
  return {{"role", role}, {"content", std::move(content)}};
}

bool calls_tools(const Json& message) {
  const Json& calls = value_at(message, "tool_calls");
  return calls.is_array() && !calls.empty();
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
Json read_message(const Field& field) {
  const std::string_view role = role_of(field["role"]);
  const Field content = field["content"];
  const bool may_be_silent = role == "assistant" && calls_tools(field.value);
  Json message = make_message(role, content.is_null() && may_be_silent ? "" : content_of(content));
  keep_other_keys(field.value, message);
  return message;
}

// {"from", "value", ...}, as ShareGPT has it.
Json read_turn(const Field& field) {
  const std::string_view role = role_of_speaker(field["from"]);
  const Field value = field["value"];
  const bool is_call = field["from"].value.get_ref<const std::string&>() == kCaller;
  Json message = make_message(role, is_call ? "" : content_of(value));
  if (is_call) message["tool_calls"] = tool_calls_in(value);
  keep_other_keys(field.value, message);
  return message;
}

void append_messages(const Field& list, Json& messages) {
  constexpr std::string_view remedy = "write a list of {\"role\": \"user\", \"content\": \"...\"}";
  if (!list.value.is_array()) list.refuse_type("a list of messages", remedy);
  if (list.value.empty()) list.refuse("is an empty list", remedy);
  for (size_t i = 0; i < list.value.size(); ++i) {
    const Field item = list[i];
    if (!item.value.is_object()) item.refuse_type("an object", remedy);
    const bool is_turn = item["role"].is_null() && !item["from"].is_null();
    messages.push_back(is_turn ? read_turn(item) : read_message(item));
  }
}

// --- From a form to a conversation ---

void append_text_or_messages(const Field& field, std::string_view role, Json& messages) {
  if (field.value.is_array()) return append_messages(field, messages);
  messages.push_back(make_message(role, field.text("write a string or a list of messages")));
}

void append_history(const Field& history, Json& messages) {
  constexpr std::string_view remedy = "\"history\" is a list of [\"user's text\", \"answer\"]";
  if (history.is_null()) return;
  if (!history.value.is_array()) history.refuse_type("a list", remedy);
  for (size_t i = 0; i < history.value.size(); ++i) {
    const Field round = history[i];
    if (!round.value.is_array() || round.value.size() != 2) round.refuse("must be two strings", remedy);
    messages.push_back(make_message("user", round[size_t{0}].text(remedy)));
    messages.push_back(make_message("assistant", round[size_t{1}].text(remedy)));
  }
}

void append_alpaca(const Field& record, Json& messages) {
  append_history(record["history"], messages);
  std::string prompt = record["instruction"].text(kTextRemedy);
  if (const Field input = record["input"]; !input.is_null() && !input.text(kTextRemedy).empty()) {
    prompt += (prompt.empty() ? "" : "\n") + input.text(kTextRemedy);
  }
  messages.push_back(make_message("user", std::move(prompt)));
  messages.push_back(make_message("assistant", record["output"].text(kTextRemedy)));
}

Json conversation_of(const Field& record, SampleFormat format) {
  const Form& form = form_of(format);
  Json messages = Json::array();
  if (format == SampleFormat::kAlpaca) {
    append_alpaca(record, messages);
  } else if (form.prompt_key.empty()) {
    append_messages(record[form.response_key], messages);
  } else {
    append_text_or_messages(record[form.prompt_key], "user", messages);
    append_text_or_messages(record[form.response_key], "assistant", messages);
  }
  return messages;
}

void add_system(const Field& system, Json& messages) {
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
void check_end(const Field& field, const Json& messages) {
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

Json tools_of(const Field& field) {
  Json tools = field.value;
  if (tools.is_string())
    tools = tools.get_ref<const std::string&>().empty() ? Json() : json_in(field, kToolsRemedy);
  if (tools.is_null() || (tools.is_array() && tools.empty())) return nullptr;
  const auto is_object = [](const Json& tool) { return tool.is_object(); };
  if (!tools.is_array() || !std::all_of(tools.begin(), tools.end(), is_object)) {
    field.refuse("must be a list of objects", kToolsRemedy);
  }
  return tools;
}

double weight_of(const Field& field) {
  constexpr std::string_view remedy = "\"weight\" multiplies the loss: 1 is usual, 0 leaves the sample out";
  if (field.is_null()) return 1.0;
  if (!field.value.is_number()) field.refuse_type("a number", remedy);
  const double weight = field.value.get<double>();
  if (!std::isfinite(weight) || weight < 0) {
    field.refuse(fmt::format("must be finite and at least 0, not {}", weight), remedy);
  }
  return weight;
}

}  // namespace

std::string_view name_of(SampleFormat format) { return form_of(format).name; }

SampleFormat recognise_format(const Json& record, std::string_view place) {
  if (!record.is_object()) {
    throw Error("{}: a record is a JSON object, not {}", place, record.type_name())
        .with_remedy("{}", kFormsRemedy);
  }
  std::optional<size_t> shown;
  for (size_t i = 0; i < kForms.size(); ++i) {
    if (!missing_keys(record, kForms[i]).empty()) continue;
    if (shown) {
      throw Error("{}: the keys show two forms, {} and {}", place, kForms[*shown].name, kForms[i].name)
          .with_remedy("keep '{}' or '{}'", kForms[*shown].response_key, kForms[i].response_key);
    }
    shown = i;
  }
  if (shown) return static_cast<SampleFormat>(*shown);
  throw Error("{}: {} no known form{}", place, describe_keys(record), describe_nearest_form(record))
      .with_remedy("{}", kFormsRemedy);
}

const std::string& Sample::response() const {
  CUSET_CHECK(!messages.empty(), "{}: a sample without messages", place);
  return messages.back().at("content").get_ref<const std::string&>();
}

Sample sample_from_record(const Json& record, std::string_view place) {
  const SampleFormat format = recognise_format(record, place);
  const Field fields = {record, place, ""};
  Sample sample;
  sample.place = place;
  sample.messages = conversation_of(fields, format);
  add_system(fields["system"], sample.messages);
  check_end(fields[form_of(format).response_key], sample.messages);
  sample.tools = tools_of(fields["tools"]);
  sample.weight = weight_of(fields["weight"]);
  return sample;
}

}  // namespace cuset
