#include "data/record_reader.h"

#include <fstream>

#include "base/error.h"
#include "base/json/jsonl.h"

namespace cuset::data {
namespace {

namespace fs = std::filesystem;

// Whether the first character of a file, behind a byte-order mark, is "[". A pipe cannot be read twice and
// counts as JSONL.
bool begins_an_array(const fs::path& file) {
  if (!fs::is_regular_file(file)) return false;
  std::ifstream in(file, std::ios::binary);
  const std::string mark = "\xef\xbb\xbf";
  std::string start(mark.size(), '\0');
  if (!in.read(start.data(), static_cast<std::streamsize>(start.size())) || start != mark) {
    in.clear();
    in.seekg(0);
  }
  char first = '\0';
  in >> first;  // skips blanks and newlines
  return first == '[';
}

}  // namespace

bool is_data_file(const fs::path& file) {
  return file.extension() == ".jsonl" || file.extension() == ".json";
}

RecordReader::RecordReader(const fs::path& file) : name_(file.string()) {
  if (begins_an_array(file)) {
    array_ = base::read_json_file(file);
  } else {
    lines_ = std::make_unique<base::JsonlReader>(file);
  }
}

RecordReader::~RecordReader() = default;

std::optional<base::Json> RecordReader::next() {
  if (lines_) return lines_->next();
  if (taken_ == array_.size()) return std::nullopt;
  return std::move(array_[taken_++]);
}

std::string RecordReader::place() const {
  return lines_ ? lines_->place() : fmt::format("{}#{}", name_, taken_);
}

}  // namespace cuset::data
