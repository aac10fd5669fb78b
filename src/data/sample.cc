#include "data/sample.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/nearest_name.h"
#include "data/messages.h"

namespace cuset::data {
namespace {

// The keys by which a form is recognized.
struct FormKeys {
  std::string_view prompt;  // empty where the other key holds the whole conversation
  std::string_view response;
};

struct Form {
  std::string_view name;
  FormKeys keys;
};

// In the order of SampleFormat.
constexpr std::array<Form, 6> kForms = {{{"messages", {"", "messages"}},
                                         {"completion", {"prompt", "completion"}},
                                         {"response", {"prompt", "response"}},
                                         {"alpaca", {"instruction", "output"}},
                                         {"sharegpt", {"", "conversations"}},
                                         {"text", {"", "text"}}}};

constexpr std::string_view kFormsRemedy =
    "a record has \"messages\", or \"conversations\", or \"prompt\" with \"completion\" or \"response\", or "
    "\"instruction\" with \"output\", or \"text\" alone";

// Records have a dozen keys; of one with a million, a few are enough to describe it.
constexpr size_t kKeysShown = 8;
constexpr size_t kKeysCompared = 64;

const Form& form_of(SampleFormat format) { return kForms.at(static_cast<size_t>(format)); }

FormKeys keys_of(SampleFormat format) { return form_of(format).keys; }

std::vector<std::string_view> missing_keys(const base::Json& record, const Form& form) {
  std::vector<std::string_view> missing;
  for (const std::string_view key : {form.keys.prompt, form.keys.response}) {
    if (!key.empty() && base::json_member(record, key).is_null()) missing.push_back(key);
  }
  return missing;
}

std::vector<std::string> first_keys(const base::Json& record, size_t limit) {
  std::vector<std::string> keys;
  for (auto item = record.begin(); item != record.end() && keys.size() < limit; ++item) {
    if (!item->is_null()) keys.push_back(item.key());
  }
  return keys;
}

// How much of the form the record shows, from 0 to 1. A misspelled key counts half.
double likeness(const base::Json& record, const Form& form, std::span<const std::string> keys) {
  const double wanted = form.keys.prompt.empty() ? 1 : 2;
  double shown = wanted;
  for (const std::string_view key : missing_keys(record, form))
    shown -= base::nearest_name(key, keys) ? 0.5 : 1;
  return shown / wanted;
}

// `; nearest is completion, which lacks "prompt" (is it "promt"?)`, or nothing.
std::string describe_nearest_form(const base::Json& record) {
  const std::vector<std::string> keys = first_keys(record, kKeysCompared);
  const Form* nearest = nullptr;
  double most = 0;
  for (const Form& form : kForms) {
    const double shown = likeness(record, form, keys);
    if (shown <= most) continue;
    most = shown;
    nearest = &form;
  }
  if (nearest == nullptr) return "";
  std::string lacking;
  for (const std::string_view key : missing_keys(record, *nearest)) {
    const std::optional<std::string> meant = base::nearest_name(key, keys);
    lacking += fmt::format("{} \"{}\"", lacking.empty() ? "" : " and", key);
    if (meant) lacking += fmt::format(" (is it {}?)", base::in_quotes(*meant));
  }
  return fmt::format("; nearest is {}, which lacks{}", nearest->name, lacking);
}

std::string describe_keys(const base::Json& record) {
  std::string text;
  for (const std::string& key : first_keys(record, kKeysShown)) {
    text += (text.empty() ? "the keys " : ", ") + base::in_quotes(key, 30);
  }
  if (text.empty()) return "a record without values shows";
  if (record.size() > kKeysShown) text += ", ...";
  return text + " show";
}

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
  if (field.value() == "") return nullptr;  // NOLINT(readability-container-size-empty): may not be a string
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

constexpr std::array<std::string_view, 4> kPreferenceKeys = {"chosen", "rejected", "chosen_messages",
                                                             "rejected_messages"};

// Records of preferences look like samples, but some of their answers are bad ones.
void refuse_preferences(const base::Json& record, std::string_view place) {
  for (const std::string_view key : kPreferenceKeys) {
    if (base::json_member(record, key).is_null()) continue;
    throw base::Error("{}: preference data (\"{}\"), which is for DPO and reward models, is not supported",
                      place, key)
        .with_remedy("to learn the chosen answers, write them as {{\"prompt\", \"response\"}}");
  }
  for (const std::string_view key : {"label", "kto_tag"}) {
    if (!base::json_member(record, key).is_boolean()) continue;
    throw base::Error("{}: preference data (\"{}\" is true or false), which is for KTO, is not supported",
                      place, key)
        .with_remedy("to learn the good answers, keep the rows where it is true, and remove the key");
  }
}

}  // namespace

std::string_view name_of(SampleFormat format) { return form_of(format).name; }

SampleFormat recognize_format(const base::Json& record, std::string_view place) {
  base::JsonCursor(record, place).with_remedy(kFormsRemedy).expect_object();
  refuse_preferences(record, place);
  std::optional<size_t> shown;
  for (size_t i = 0; i < kForms.size(); ++i) {
    if (!missing_keys(record, kForms[i]).empty()) continue;
    // Exports carry the rendered conversation as "text" beside it: that is not a second form.
    if (shown && static_cast<SampleFormat>(i) == SampleFormat::kText) continue;
    if (shown) {
      throw base::Error("{}: the keys show two forms, {} and {}", place, kForms[*shown].name, kForms[i].name)
          .with_remedy("keep \"{}\" or \"{}\"", kForms[*shown].keys.response, kForms[i].keys.response);
    }
    shown = i;
  }
  if (shown) return static_cast<SampleFormat>(*shown);
  if (record.contains("prompts") && record.contains("kind")) {
    throw base::Error("{}: this is a kernel task, not a sample of training data", place)
        .with_remedy("tasks belong to --tasks; `cuset gym data` and `cuset curate` make training data");
  }
  throw base::Error("{}: {} no known form{}", place, describe_keys(record), describe_nearest_form(record))
      .with_remedy("{}", kFormsRemedy);
}

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
  sample.vouched = fields.get("vouched").with_remedy("write true or false").boolean_or(true);
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
