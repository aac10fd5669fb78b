#include "base/error.h"

#include <system_error>

namespace cuset::base {
namespace {

std::string on_one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\r') c = ' ';
  }
  return text;
}

}  // namespace

std::string Error::one_line() const {
  std::string line = on_one_line(what());
  if (!remedy_.empty()) line += " (" + on_one_line(remedy_) + ")";
  return line;
}

void check_failed(const char* file, int line, const char* condition, const std::string& message) {
  throw CheckFailure(fmt::format("{}:{}: {} does not hold: {}", file, line, condition, message));
}

std::string errno_text(int error_number) { return std::generic_category().message(error_number); }

std::string in_quotes(std::string_view text, size_t limit) {
  const std::string_view shown = text.substr(0, limit);
  const bool takes_single = shown.find('"') != shown.npos && shown.find('\'') == shown.npos;
  const char mark = takes_single ? '\'' : '"';
  std::string out(1, mark);
  for (const char c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == mark) {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (byte < 0x20 || byte >= 0x7f) {
      out += fmt::format("\\x{:02x}", byte);
    } else {
      out += c;
    }
  }
  out += mark;
  if (text.size() > limit) out += "...";
  return out;
}

}  // namespace cuset::base
