// The records of a data file: JSONL, one to a line, or one JSON array of them, as LLaMA-Factory's files are.
// An array is told by its first character and held in memory as a whole; JSONL is read line by line.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "base/json/json.h"
#include "base/json/jsonl.h"

namespace cuset::data {

// Whether a file's name says that it holds records: .jsonl or .json.
bool is_data_file(const std::filesystem::path& file);

class RecordReader {
 public:
  // Opens `file`; "-" is standard input, as JSONL. Throws Error.
  explicit RecordReader(const std::filesystem::path& file);
  ~RecordReader();

  // The next record, whatever its type, or nothing at the end. Throws Error with the place of a faulty one.
  std::optional<base::Json> next();

  // Where the last record stands: "data.jsonl:7", line 7; "data.json#7", the seventh of an array.
  std::string place() const;

 private:
  std::string name_;
  std::unique_ptr<base::JsonlReader> lines_;  // null for an array
  base::Json array_;
  size_t taken_ = 0;  // of the array
};

}  // namespace cuset::data
