#include "base/console.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>

namespace cuset::base {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";
constexpr size_t kUsualWidth = 80;

// Failures are ignored: there is nowhere left to report them.
void write_to_stderr(std::string_view text) {
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    text.remove_prefix(static_cast<size_t>(count));
  }
}

bool stderr_is_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(STDERR_FILENO) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

size_t stderr_width() {
  winsize size{};
  return ::ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : kUsualWidth;
}

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

// no-color.org: any text in NO_COLOR means no.
bool environment_allows_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return no_color == nullptr || *no_color == '\0';
}

}  // namespace

bool Console::has_color() const { return is_terminal() && environment_allows_color(); }

bool output_has_color() { return ::isatty(STDOUT_FILENO) == 1 && environment_allows_color(); }

void Console::print_line(std::string_view text) {
  const std::lock_guard guard(mutex_);
  std::string out;
  if (!status_.empty()) out += kEraseLine;
  out += text;
  out += '\n';
  out += status_;
  device_.write(out);
}

void Console::set_status(std::string_view text) {
  if (!is_terminal()) return;
  const std::lock_guard guard(mutex_);
  // The last column stays free: many terminals wrap once it is filled.
  status_ = first_columns(text, std::max<size_t>(width(), 2) - 1);
  device_.write(std::string(kEraseLine) + status_);
}

void Console::clear_status() {
  const std::lock_guard guard(mutex_);
  if (status_.empty()) return;
  status_.clear();
  device_.write(kEraseLine);
}

Console& standard_console() {
  static Console console({write_to_stderr, stderr_is_terminal, stderr_width});
  return console;
}

std::string printable(std::string_view text, bool keep_lines) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
    const bool kept_line = keep_lines && (byte == '\n' || byte == '\t');
    const bool is_c1 = byte == 0xc2 && next >= 0x80 && next < 0xa0;  // U+0080 to U+009F, CSI among them
    if (is_c1) ++i;
    out += (!kept_line && (byte < 0x20 || byte == 0x7f)) || is_c1 ? '?' : static_cast<char>(byte);
  }
  return out;
}

std::string_view first_columns(std::string_view text, size_t columns) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (!starts_character(text[i])) continue;
    if (columns == 0) return text.substr(0, i);
    --columns;
  }
  return text;
}

size_t columns_of(std::string_view text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), starts_character));
}

}  // namespace cuset::base
