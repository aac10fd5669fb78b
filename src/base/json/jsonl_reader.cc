#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <utility>

#include "base/json/jsonl.h"

namespace cuset::base {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kArrowStream = "\xFF\xFF\xFF\xFF";

FileDescriptor open_for_reading(const fs::path& path) {
  if (path == "-") {
    FileDescriptor input(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0));
    if (!input.is_open()) throw file_error("read", "standard input", errno);
    return input;
  }
  FileDescriptor file = open_file(path, O_RDONLY);
  struct stat info{};
  if (::fstat(file.get(), &info) == 0 && S_ISDIR(info.st_mode)) throw file_error("read", path, EISDIR);
  return file;
}

bool is_blank(std::string_view text) { return text.find_first_not_of(" \t\r") == std::string_view::npos; }

// "prompt,response": names with commas or tabs between them, and nothing else.
bool is_header_of_csv(std::string_view text) {
  if (text.find_first_of(",\t") == text.npos) return false;
  return std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 ||
           std::string_view("_-\",\t \r").find(static_cast<char>(c)) != std::string_view::npos;
  });
}

// What a file is that is not JSONL, told from its first line.
std::string_view remedy_for_first_line(std::string_view text, const JsonFault& fault) {
  if (text.starts_with("\x1f\x8b")) return "it is compressed: unpack it with gunzip";
  if (text.starts_with("\x28\xb5\x2f\xfd")) return "it is compressed: unpack it with zstd -d";
  if (text.starts_with("PAR1"))
    return "it is a Parquet file: pandas.read_parquet(FILE).to_json(OUT, orient='records', lines=True) "
           "converts it";
  if (text.starts_with("ARROW1") || text.starts_with(kArrowStream))
    return "it is an Arrow file: datasets.Dataset.from_file(FILE).to_json(OUT) converts it";
  if (text.starts_with("PK\x03\x04")) return "it is a zip archive: unpack it";
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff"))
    return "it is UTF-16: convert it to UTF-8";
  const bool goes_on = fault.reason.find("unexpected end of input") != std::string::npos;
  if (text.starts_with("[") && goes_on) return "it may be one JSON array: convert it with jq -c '.[]'";
  if (text.starts_with("{") && goes_on)
    return "JSONL has one value per line: convert indented JSON with jq -c .";
  if (text.starts_with("[") || text.starts_with("{")) return "correct or remove the line";
  if (is_header_of_csv(text))
    return "it looks like CSV: pandas.read_csv(FILE).to_json(OUT, orient='records', lines=True) converts it";
  return "JSONL has one JSON value per line: check that this is the right file";
}

std::string_view remedy_for(std::string_view text, size_t line, const JsonFault& fault) {
  const std::string_view around = text.substr(fault.position - std::min<size_t>(fault.position, 2), 12);
  if (around.find("Na") != std::string_view::npos || around.find("Inf") != std::string_view::npos) {
    return "NaN and Infinity are not JSON: write null";
  }
  if (fault.reason.find("UTF-8") != std::string::npos) return "convert the text to UTF-8";
  if (fault.reason.find("surrogate") != std::string::npos)
    return "half of a character that takes two \\u escapes: write both, or remove it";
  return line == 1 ? remedy_for_first_line(text, fault) : "correct or remove the line";
}

}  // namespace

JsonlReader::JsonlReader(const fs::path& path, JsonlOptions options)
    : JsonlReader(open_for_reading(path), path == "-" ? "standard input" : path.string(), options) {}

JsonlReader::JsonlReader(FileDescriptor file, std::string name, JsonlOptions options)
    : file_(std::move(file)), name_(std::move(name)), options_(options) {
  CUSET_CHECK(options_.block_size > 0, "an empty block reads nothing");
}

std::string JsonlReader::place() const { return fmt::format("{}:{}", name_, line_); }

std::optional<Json> JsonlReader::next() {
  while (std::optional<std::string_view> line = next_line()) {
    std::string_view text = *line;
    if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
    if (is_blank(text)) continue;
    std::variant<Json, JsonFault> parsed = try_parse_json(text);
    if (auto* value = std::get_if<Json>(&parsed)) return std::move(*value);
    const auto& fault = std::get<JsonFault>(parsed);
    if (!is_torn(text, fault) || options_.torn_line == TornLine::kRefuse) throw bad_line(text, fault);
    ignored_bytes_ = line->size();
  }
  return std::nullopt;
}

// A first line must also end too early: else a file of another format without any newline would pass for a
// torn one.
bool JsonlReader::is_torn(std::string_view text, const JsonFault& fault) const {
  return !has_newline_ && (line_ > 1 || fault.position >= text.size());
}

Error JsonlReader::bad_line(std::string_view text, const JsonFault& fault) const {
  if (is_torn(text, fault)) {
    return Error("{}: the last line is torn: no newline after {} bytes, and {}", place(), text.size(),
                 fault.reason)
        .with_remedy("its writer was interrupted: delete the line, or continue the run that wrote the file");
  }
  return Error("{}: not valid JSON at column {}: {}", place(), fault.position + 1, fault.reason)
      .with_remedy("{}", remedy_for(text, line_, fault));
}

// The next line without its newline, valid until the next call; nothing at the end.
std::optional<std::string_view> JsonlReader::next_line() {
  drop_rest_of_line();
  size_t searched = 0;
  for (;;) {
    const size_t held = end_ - begin_;
    const char* line = buffer_.data() + begin_;
    const void* newline = held > searched ? std::memchr(line + searched, '\n', held - searched) : nullptr;
    if (newline != nullptr)
      return take_line(static_cast<size_t>(static_cast<const char*>(newline) - line), true);
    if (held > options_.line_limit) return take_line(held, false);
    searched = held;
    if (read_block()) continue;
    if (held == 0) return std::nullopt;
    return take_line(held, false);
  }
}

std::string_view JsonlReader::take_line(size_t size, bool has_newline) {
  ++line_;
  const std::string_view text(buffer_.data() + begin_, size);
  begin_ += size + (has_newline ? 1 : 0);
  has_newline_ = has_newline;
  if (size <= options_.line_limit) return text;
  is_overlong_ = !has_newline;
  throw Error("{}: the line is longer than {} bytes", place(), options_.line_limit)
      .with_remedy("JSONL has one value per line: check that this is the right file");
}

// Appends what one read(2) gives to the buffer, which grows with the line; false at the end of the file.
bool JsonlReader::read_block() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ == buffer_.size()) {
    const size_t most = options_.line_limit + options_.block_size;
    buffer_.resize(std::min(std::max(2 * buffer_.size(), options_.block_size), most));
  }
  try {
    const size_t count = read_some(file_.get(), buffer_.data() + end_, buffer_.size() - end_, name_);
    end_ += count;
    return count > 0;
  } catch (const Error& error) {
    throw Error("{}:{}: {}", name_, line_ + 1, error.what())
        .with_remedy("{}",
                     error.remedy().empty() ? "check the disk, or copy the file again" : error.remedy());
  }
}

void JsonlReader::drop_rest_of_line() {
  while (is_overlong_) {
    const void* newline = begin_ < end_ ? std::memchr(buffer_.data() + begin_, '\n', end_ - begin_) : nullptr;
    if (newline != nullptr) {
      begin_ = static_cast<size_t>(static_cast<const char*>(newline) - buffer_.data()) + 1;
      is_overlong_ = false;
    } else {
      begin_ = end_;
      is_overlong_ = read_block();
    }
  }
}

}  // namespace cuset::base
