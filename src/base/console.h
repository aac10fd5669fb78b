// The terminal (or file) that log lines and progress share: whole lines scroll by, and below them one status
// line may be redrawn in place. Whoever prints a line goes through here, so that it never lands inside the
// status line.
//
// The status line is only drawn on a terminal; without one (a file, a pipe, TERM=dumb) it is silently left
// out.
#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

namespace cuset::base {

// What a console writes to. Tests put their own in place of standard error.
struct ConsoleDevice {
  std::function<void(std::string_view)> write;
  std::function<bool()> is_terminal;
  std::function<size_t()> width;  // columns
};

class Console {
 public:
  explicit Console(ConsoleDevice device) : device_(std::move(device)) {}

  bool is_terminal() const { return device_.is_terminal(); }
  // On a terminal, unless the environment sets NO_COLOR to something (no-color.org).
  bool has_color() const;

  // Prints `text` and a newline above the status line. Thread-safe, as the two below.
  void print_line(std::string_view text);
  // Shows `text`, cut to the width, as the status line until the next call or clear_status().
  void set_status(std::string_view text);
  void clear_status();

  size_t width() const { return device_.width(); }

 private:
  ConsoleDevice device_;
  std::mutex mutex_;
  std::string status_;
};

// Standard error.
Console& standard_console();

// A status line on the standard console while it lives.
class StatusLine {
 public:
  explicit StatusLine(std::string_view text) { standard_console().set_status(text); }
  ~StatusLine() { standard_console().clear_status(); }
  StatusLine(const StatusLine&) = delete;
  StatusLine& operator=(const StatusLine&) = delete;
};

// Standard output is a terminal and the environment does not set NO_COLOR to something.
bool output_has_color();

// `text` with control characters replaced by '?', tabs and newlines too unless `keep_lines`: what comes from
// files and models must not move the cursor.
std::string printable(std::string_view text, bool keep_lines = false);

// The first `columns` characters of UTF-8 text.
std::string_view first_columns(std::string_view text, size_t columns);

// Characters of UTF-8 text.
size_t columns_of(std::string_view text);

}  // namespace cuset::base
