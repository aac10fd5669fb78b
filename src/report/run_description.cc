#include "report/run_description.h"

#include <optional>

#include "base/error.h"
#include "base/json/json_cursor.h"
#include "base/json/jsonl.h"

namespace cuset::report {
namespace {

namespace fs = std::filesystem;

fs::path file_named(const base::Json& run, const char* key) {
  const fs::path path = base::json_string(run, key);
  std::error_code failed;
  return fs::is_regular_file(path, failed) ? path : fs::path();
}

// Foreign forms of answers are understood by cuset verify alone.
bool is_our_answers(const fs::path& file) {
  try {
    base::JsonlReader reader(file, {.torn_line = base::TornLine::kIgnore});
    const std::optional<base::Json> first = reader.next();
    return first && !base::json_string(*first, "task").empty() &&
           base::json_member(*first, "text").is_string();
  } catch (const base::Error&) {
    return false;
  }
}

// A value as somebody would write it: lists with commas.
std::string text_of(const base::Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return value.dump();
  std::string text;
  for (const base::Json& item : value) text += (text.empty() ? "" : ", ") + text_of(item);
  return text;
}

const base::Json& setting(const base::Json& run, const char* key) {
  return base::json_member(base::json_member(base::json_member(run, "settings"), key), "value");
}

base::Json changed_settings(const base::Json& run) {
  base::Json changed = base::Json::array();
  const base::Json& settings = base::json_member(run, "settings");
  if (!settings.is_object()) return changed;
  for (const auto& [key, entry] : settings.items()) {
    const std::string origin = base::json_string(entry, "origin");
    if (origin.empty() || origin == "default") continue;
    changed.push_back({key, text_of(base::json_member(entry, "value")), origin});
  }
  return changed;
}

// "12 samples, 8600 tokens; data.jsonl".
std::string data_of(const base::Json& run) {
  const std::string files = text_of(setting(run, "data"));
  const base::Json& data = base::json_member(run, "data");
  const base::Json &samples = base::json_member(data, "samples"), &tokens = base::json_member(data, "tokens");
  if (!samples.is_number() || !tokens.is_number()) return files == "null" ? "" : files;
  return fmt::format("{} samples, {} tokens; {}", samples.dump(), tokens.dump(), files);
}

std::string command_of(const base::Json& run) {
  const std::string line = base::json_string(run, "command_line");
  if (!line.empty()) return line;
  const std::string command = base::json_string(run, "command");
  return command.empty() ? "" : "cuset " + command;
}

}  // namespace

RunDescription read_run_description(const fs::path& folder) {
  RunDescription record;
  fs::path file = folder / "run.json";
  if (!fs::is_regular_file(file)) file = folder / "generation.json";
  if (!fs::is_regular_file(file)) return record;
  const base::Json run = base::read_json_file(file);
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty() && text != "null") record.about[key] = text;
  };
  add("command", command_of(run));
  add("created", base::json_string(run, "started"));
  add("machine", base::json_string(run, "machine"));
  add("version", base::json_string(run, "version"));
  add("model", text_of(setting(run, "model")));
  add("objective", text_of(setting(run, "objective")));
  add("data", data_of(run));
  if (base::Json changed = changed_settings(run); !changed.empty())
    record.about["settings"] = std::move(changed);
  record.tasks = file_named(run, "tasks");
  const fs::path answers = file_named(run, "answers");
  if (!answers.empty() && is_our_answers(answers)) record.answers = answers;
  const base::Json& adapters = setting(run, "adapter");
  if (adapters.is_array()) {
    for (const base::Json& adapter : adapters) record.adapters.push_back(text_of(adapter));
  }
  return record;
}

}  // namespace cuset::report
