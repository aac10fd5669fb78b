// Data sets by name: LLaMA-Factory's dataset_info.json. A folder of data holds it beside the files; each entry says
// which file a name stands for, and which of a record's keys mean what:
//
//   {"my_set": {"file_name": "my_set.json",
//               "formatting": "alpaca" (default), "sharegpt" or "openai",
//               "columns": {"prompt": "question", "response": "answer", ...},
//               "tags": {"role_tag": "role", "content_tag": "content", "user_tag": "user", ...}}}
//
// docs/llama-factory.md lists what is read and what is refused.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json/json.h"

namespace cuset::data {

// How the records of a named data set are written. An empty key is one that the records do not have.
struct RecordForm {
  enum class Kind { kAlpaca, kMessages };

  std::string dataset;  // its name, for messages
  Kind kind = Kind::kAlpaca;
  bool is_document = false;  // stage pt: the prompt is a text to learn as a whole
  std::string prompt = "instruction", query = "input", response = "output", history;
  std::string messages = "conversations", system, tools;
  std::string role_tag = "from", content_tag = "value";
  std::string user_tag = "human", assistant_tag = "gpt", observation_tag = "observation",
              function_tag = "function_call", system_tag = "system";

  // The record in a form that sample_from_record knows. Throws Error opening with `place`.
  base::Json to_known_form(const base::Json& record, std::string_view place) const;
};

// A data set that was asked for: a file, and how to read it where its own keys do not say so.
struct DataSource {
  std::filesystem::path file;
  std::optional<RecordForm> form = std::nullopt;
  size_t max_rows = 0;  // the first ones; 0: all
};

// What `name` stands for in `folder`/dataset_info.json: one file, or the files of a folder. `stage_is_pt`: texts to
// learn as a whole. Throws UsageError, naming what is near, for a name that is not there, and for a set that cannot
// be trained on here: on a hub, with images, or of preferences.
std::vector<DataSource> named_dataset(const std::filesystem::path& folder, const std::string& name,
                                      bool stage_is_pt);

// The data sets of a YAML file of LLaMA-Factory's v1: {name: {path, source: local, converter, size}}. Throws likewise.
std::vector<DataSource> v1_datasets(const std::filesystem::path& file);

}  // namespace cuset::data
