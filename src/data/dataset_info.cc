#include "data/dataset_info.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <utility>

#include "base/error.h"
#include "base/files/config_file.h"
#include "base/json/json_cursor.h"
#include "base/nearest_name.h"
#include "data/record_reader.h"

namespace cuset::data {
namespace {

namespace fs = std::filesystem;

constexpr const char* kInfoFile = "dataset_info.json";

using Member = std::string RecordForm::*;

// LLaMA-Factory forgets all default columns where "columns" is given, and all default tags where "tags" is.
constexpr std::array<std::pair<const char*, Member>, 7> kColumns = {{{"prompt", &RecordForm::prompt},
                                                                     {"query", &RecordForm::query},
                                                                     {"response", &RecordForm::response},
                                                                     {"history", &RecordForm::history},
                                                                     {"messages", &RecordForm::messages},
                                                                     {"system", &RecordForm::system},
                                                                     {"tools", &RecordForm::tools}}};
constexpr std::array<std::pair<const char*, Member>, 7> kTags = {
    {{"role_tag", &RecordForm::role_tag},
     {"content_tag", &RecordForm::content_tag},
     {"user_tag", &RecordForm::user_tag},
     {"assistant_tag", &RecordForm::assistant_tag},
     {"observation_tag", &RecordForm::observation_tag},
     {"function_tag", &RecordForm::function_tag},
     {"system_tag", &RecordForm::system_tag}}};

constexpr std::array<const char*, 3> kMedia = {"images", "videos", "audios"};
constexpr std::array<const char*, 5> kElsewhere = {"hf_hub_url", "ms_hub_url", "om_hub_url", "script_url",
                                                   "cloud_file_name"};

base::UsageError not_supported(const std::string& name, std::string_view what) {
  return base::UsageError("dataset: {} is not supported by cuset: {}", base::in_quotes(name), what);
}

void refuse_other_places(const base::JsonCursor& entry, const std::string& name) {
  for (const char* key : kElsewhere) {
    const base::JsonCursor place = entry.get(key);
    if (place.is_absent()) continue;
    throw not_supported(name, fmt::format("its {} is {}, and nothing is downloaded", key,
                                          base::in_quotes(place.string(), 100)))
        .with_remedy("download it, and name its file in {} with \"file_name\", or in --data", kInfoFile);
  }
}

void refuse_other_uses(const base::JsonCursor& entry, const std::string& name) {
  const base::JsonCursor columns = entry.get("columns");
  const auto has = [&](const char* key) {
    return columns.value().is_object() && !columns.get(key).is_absent();
  };
  if (base::json_member(entry.value(), "ranking") == true || has("chosen") || has("rejected")) {
    throw not_supported(name, "it is preference data (\"ranking\"), for stage dpo or rm");
  }
  if (has("kto_tag")) {
    throw not_supported(name, "it is preference data (\"kto_tag\"), for stage kto")
        .with_remedy("to learn its good answers, write those rows into a file of their own");
  }
  for (const char* media : kMedia) {
    if (has(media)) throw not_supported(name, fmt::format("its records have {}", media));
  }
}

template <size_t N>
void take_names(const base::JsonCursor& names, const std::array<std::pair<const char*, Member>, N>& members,
                RecordForm& form) {
  if (names.is_absent()) return;
  names.expect_object();
  for (const auto& [key, member] : members) form.*member = names.get(key).string_or("");
}

RecordForm form_of_entry(const base::JsonCursor& entry, const std::string& name, bool stage_is_pt) {
  RecordForm form;
  form.dataset = name;
  const std::string formatting = entry.get("formatting").string_or("alpaca");
  constexpr std::array<std::string_view, 3> kFormattings = {"alpaca", "sharegpt", "openai"};
  if (std::find(kFormattings.begin(), kFormattings.end(), formatting) == kFormattings.end()) {
    entry.get("formatting").refuse_name("a formatting", kFormattings);
  }
  form.kind = formatting == "alpaca" ? RecordForm::Kind::kAlpaca : RecordForm::Kind::kMessages;
  take_names(entry.get("columns"), kColumns, form);
  take_names(entry.get("tags"), kTags, form);
  form.is_document = stage_is_pt;
  if (form.kind == RecordForm::Kind::kAlpaca && form.response.empty() && !stage_is_pt) {
    throw not_supported(name, "its \"columns\" name no response, so it is for stage: pt");
  }
  return form;
}

std::vector<fs::path> files_of(const fs::path& path, const std::string& name) {
  if (!fs::exists(path)) {
    throw base::UsageError("dataset: {} is {}, which does not exist", base::in_quotes(name), path.string());
  }
  if (!fs::is_directory(path)) {
    if (is_data_file(path)) return {path};
    throw not_supported(name, fmt::format("{} is neither JSON nor JSONL", path.string()))
        .with_remedy("write one {{\"text\": ...}} per line for texts");
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    if (entry.is_regular_file() && is_data_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  if (files.empty()) throw base::UsageError("dataset: {} has no .json or .jsonl file", path.string());
  return files;
}

// The value behind a column; null where the form has no such column or the record not this key.
const base::Json& column(const base::Json& record, const std::string& key) {
  static const base::Json kNothing = nullptr;
  return key.empty() ? kNothing : base::json_member(record, key);
}

void copy_column(const base::Json& record, const std::string& key, const char* name, base::Json& known) {
  if (const base::Json& value = column(record, key); !value.is_null()) known[name] = value;
}

std::string text_or_empty(const base::Json& value) {
  return value.is_string() ? value.get<std::string>() : "";
}

// The speaker as ShareGPT calls it; a tag that the form does not have stays, and is refused by its name.
base::Json speaker_of(const RecordForm& form, const base::Json& tag) {
  const std::array<std::pair<const std::string*, const char*>, 5> speakers = {
      {{&form.user_tag, "human"},
       {&form.assistant_tag, "gpt"},
       {&form.observation_tag, "observation"},
       {&form.function_tag, "function_call"},
       {&form.system_tag, "system"}}};
  for (const auto& [name, speaker] : speakers) {
    if (!name->empty() && tag == *name) return speaker;
  }
  return tag;
}

base::Json conversation_from(const RecordForm& form, const base::JsonCursor& messages) {
  base::Json turns = base::Json::array();
  for (const base::JsonCursor& message : messages.elements()) {
    message.expect_object();
    base::Json turn = {{"from", speaker_of(form, message.get(form.role_tag).value())},
                       {"value", message.get(form.content_tag).value()}};
    for (const auto& [key, value] : message.value().items()) {
      if (key != form.role_tag && key != form.content_tag) turn[key] = value;
    }
    turns.push_back(std::move(turn));
  }
  return turns;
}

DataSource v1_source(const std::string& name, std::map<std::string, std::string>& entry) {
  const std::string& converter = entry["converter"];
  if (converter == "pair") throw not_supported(name, "it is preference data (\"converter: pair\")");
  const bool is_local = entry["source"].empty() || entry["source"] == "local";
  if (!is_local || !fs::exists(entry["path"])) {
    throw not_supported(name, fmt::format("its path {} is not a local file, and nothing is downloaded",
                                          base::in_quotes(entry["path"], 100)));
  }
  DataSource source{entry["path"]};
  if (!converter.empty()) {
    if (converter != "alpaca" && converter != "sharegpt") {
      throw not_supported(name, fmt::format("its converter is {}", base::in_quotes(converter)));
    }
    source.form.emplace().dataset = name;
    if (converter == "sharegpt") source.form->kind = RecordForm::Kind::kMessages;
  }
  const std::string& size = entry["size"];
  const auto [end, status] = std::from_chars(size.data(), size.data() + size.size(), source.max_rows);
  if (!size.empty() && (status != std::errc() || end != size.data() + size.size())) {
    throw not_supported(name, fmt::format("its size is {}, not a number", base::in_quotes(size)));
  }
  return source;
}

}  // namespace

base::Json RecordForm::to_known_form(const base::Json& record, std::string_view place) const {
  const base::JsonCursor fields(record, place);
  fields.expect_object();
  base::Json known = base::Json::object();
  if (kind == Kind::kMessages) {
    known["conversations"] =
        conversation_from(*this, fields.get(messages).with_remedy("dataset_info.json names the columns"));
  } else {
    std::string text = text_or_empty(column(record, prompt));
    const std::string more = text_or_empty(column(record, query));
    if (text.empty() && more.empty() && !prompt.empty() && !record.contains(prompt))
      fields.get(prompt).with_remedy("dataset_info.json names the columns").string();
    if (is_document) {
      text += (text.empty() || more.empty() ? "" : "\n") + more;
      return {{"text", std::move(text)}};
    }
    known["instruction"] = std::move(text);
    known["input"] = more;
    known["output"] = fields.get(response).with_remedy("dataset_info.json names the columns").string();
    copy_column(record, history, "history", known);
  }
  copy_column(record, system, "system", known);
  copy_column(record, tools, "tools", known);
  return known;
}

std::vector<DataSource> named_dataset(const fs::path& folder, const std::string& name, bool stage_is_pt) {
  const fs::path path = folder / kInfoFile;
  if (!fs::exists(path)) {
    throw base::UsageError("dataset: {} is neither a file, nor is there a {}", base::in_quotes(name),
                           path.string())
        .with_remedy("give paths of JSONL files or JSON arrays, or dataset_dir, the folder of {}", kInfoFile);
  }
  const base::Json info = base::read_json_file(path);
  const std::string source = path.string();
  const base::JsonCursor names(info, source);
  names.expect_object();
  const base::JsonCursor entry = names.get(name);
  if (entry.is_absent()) {
    std::vector<std::string> known;
    for (const auto& [key, value] : info.items()) known.push_back(key);
    throw base::UsageError("dataset: {} is neither a file nor a name in {}{}", base::in_quotes(name),
                           path.string(), base::did_you_mean(name, known));
  }
  entry.expect_object();
  refuse_other_uses(entry, name);
  refuse_other_places(entry, name);
  const RecordForm form = form_of_entry(entry, name, stage_is_pt);
  std::vector<DataSource> sources;
  for (const fs::path& file : files_of(folder / entry.get("file_name").string(), name))
    sources.push_back({file, form});
  return sources;
}

std::vector<DataSource> v1_datasets(const fs::path& file) {
  std::vector<std::string> names;  // in the file's order
  std::map<std::string, std::map<std::string, std::string>> entries;
  for (const base::ConfigEntry& entry : base::read_config_file(file, base::NestedKeys::kFlatten)) {
    const size_t dot = entry.key.find('.');
    if (dot == entry.key.npos) {
      throw base::UsageError("{}:{}: {} is not a data set", file.string(), entry.line,
                             base::in_quotes(entry.key))
          .with_remedy("write NAME: {{path: FILE, source: local}}");
    }
    const std::string name = entry.key.substr(0, dot);
    if (!entries.contains(name)) names.push_back(name);
    entries[name][entry.key.substr(dot + 1)] = entry.values.empty() ? "" : entry.values.front();
  }
  std::vector<DataSource> sources;
  for (const std::string& name : names) sources.push_back(v1_source(name, entries[name]));
  if (sources.empty()) throw base::UsageError("{}: no data set", file.string());
  return sources;
}

}  // namespace cuset::data
