// JSONL: one JSON value per line, UTF-8, lines end in "\n" or "\r\n". docs/configuration.md has the rules.
//
// Reading holds one line in memory, skips blank lines and a byte-order mark, and refuses lines over a limit.
// The last line is torn if it lacks its newline and is not valid JSON: its writer was interrupted.
//
// Writing has two ways. JsonlWriter appends results as they come and survives a kill or a full disk at any
// moment: the file holds whole lines, at worst one torn line that the next writer cuts. To replace a whole
// file, write the lines through AtomicFile (base/files/file.h).
#pragma once

#include <cstddef>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/files/file.h"
#include "base/json/json.h"

namespace cuset::base {

inline constexpr size_t kJsonlLineLimit = size_t{256} << 20;

enum class TornLine { kRefuse, kIgnore };

struct JsonlOptions {
  size_t line_limit = kJsonlLineLimit;     // bytes, without the newline
  TornLine torn_line = TornLine::kRefuse;  // kIgnore for a file that somebody is still appending to
  size_t block_size = size_t{1} << 20;     // bytes asked of the kernel at a time
};

class JsonlReader {
 public:
  // Opens `path`; "-" is standard input. Throws Error.
  explicit JsonlReader(const std::filesystem::path& path, JsonlOptions options = {});
  // Reads from an open file; `name` stands for it in messages.
  JsonlReader(FileDescriptor file, std::string name, JsonlOptions options = {});

  // The next value, or nothing at the end. A bad line throws an Error that begins with "path:line:"; the call
  // after it continues with the next line, for callers that count bad lines instead of stopping.
  std::optional<Json> next();

  // The line of the last value (or error), counted from 1 with blank lines.
  size_t line() const { return line_; }
  // "path:line", to open callers' own messages about the last value.
  std::string place() const;
  // Size of the torn last line passed over with TornLine::kIgnore; 0 where there was none.
  size_t ignored_bytes() const { return ignored_bytes_; }

 private:
  std::optional<std::string_view> next_line();
  std::string_view take_line(size_t size, bool has_newline);
  bool read_block();
  void drop_rest_of_line();
  bool is_torn(std::string_view text, const JsonFault& fault) const;
  Error bad_line(std::string_view text, const JsonFault& fault) const;

  FileDescriptor file_;
  std::string name_;
  JsonlOptions options_;
  std::vector<char> buffer_;
  size_t begin_ = 0;  // what was read and not yet given out is buffer_[begin_, end_)
  size_t end_ = 0;
  size_t line_ = 0;
  bool has_newline_ = false;
  bool is_overlong_ = false;  // the rest of the line at begin_ is to be dropped
  size_t ignored_bytes_ = 0;
};

// Appends records to a file, which is made where it does not exist. append() and flush() may be called from
// several threads. The file must not be replaced while the writer lives.
class JsonlWriter {
 public:
  // Takes an exclusive lock for the writer's life: throws Error where another writer holds it. A torn last
  // line is cut, with a warning to the log; one that only lacks its newline gets it. Throws Error where the
  // file does not begin like JSONL, rather than cut into a file of another kind.
  explicit JsonlWriter(std::filesystem::path path, size_t line_limit = kJsonlLineLimit);

  // Writes one line with one write(2). `record` is an object or an array: only these show whether their end
  // is missing. On failure (full disk) takes the incomplete line back and throws Error; later appends may
  // succeed.
  void append(const Json& record);

  // Returns once everything appended is on disk. After an Error, what was appended since the last flush may
  // be lost.
  void flush();

  // Size of the torn line that was cut on opening; 0 where there was none.
  size_t cut_bytes() const { return cut_bytes_; }

 private:
  void open_locked();
  bool lock();
  void refuse_other_formats() const;
  void mend_last_line();
  void write_line(std::string_view line);
  void cut_back();

  std::filesystem::path path_;
  size_t line_limit_;
  std::mutex mutex_;
  FileDescriptor file_;
  size_t size_ = 0;                // of the whole lines
  bool has_partial_line_ = false;  // after a failed write that could not be taken back yet
  size_t cut_bytes_ = 0;
};

}  // namespace cuset::base
