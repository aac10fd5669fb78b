#include "text/jinja/literal.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <limits>

#include "text/jinja/text.h"

namespace cuset::text::jinja {
namespace {

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

int base_of_prefix(std::string_view text) {
  if (text.size() < 2 || text[0] != '0') return 10;
  const char c = text[1] | 0x20;
  return c == 'x' ? 16 : c == 'o' ? 8 : c == 'b' ? 2 : 10;
}

std::string without_underscores(std::string_view text) {
  std::string out(text);
  std::erase(out, '_');
  return out;
}

std::string_view stripped(std::string_view text) {
  while (!text.empty() && is_space(code_point_at(text, 0).value))
    text.remove_prefix(code_point_at(text, 0).end);
  while (!text.empty()) {
    const size_t start = code_point_before(text, text.size());
    if (!is_space(code_point_at(text, start).value)) break;
    text = text.substr(0, start);
  }
  return text;
}

// Underscores may stand between digits only.
bool underscores_are_fine(std::string_view digits) {
  const bool at_edge = digits.starts_with('_') || digits.ends_with('_');
  return !at_edge && digits.find("__") == std::string_view::npos;
}

// Writes code points beyond ASCII as escapes, which is what makes Python's two-step decoding visible after a
// backslash.
std::string as_ascii(std::string_view body) {
  std::string out;
  for (size_t position = 0; position < body.size();) {
    const CodePoint c = code_point_at(body, position);
    if (c.value < 0x80)
      out += static_cast<char>(c.value);
    else if (c.value <= 0xFF)
      out += fmt::format("\\x{:02x}", c.value);
    else if (c.value <= 0xFFFF)
      out += fmt::format("\\u{:04x}", c.value);
    else
      out += fmt::format("\\U{:08x}", c.value);
    position = c.end;
  }
  return out;
}

class Unescaper {
 public:
  explicit Unescaper(std::string_view body) : text_(as_ascii(body)) {}

  std::optional<std::string> run(std::string& error) {
    while (position_ < text_.size() && error_.empty()) {
      const char c = text_[position_++];
      if (c == '\\' && position_ < text_.size())
        escape(text_[position_++]);
      else
        out_ += c;
    }
    error = error_;
    if (!error_.empty()) return std::nullopt;
    return std::move(out_);
  }

 private:
  void escape(char c) {
    static constexpr std::string_view kLetters = "abfnrtv\\'\"";
    static constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v\\'\"";
    if (const size_t index = kLetters.find(c); index != std::string_view::npos)
      out_ += kMeanings[index];
    else if (c == '\n')
      return;
    else if (c >= '0' && c <= '7')
      octal(c);
    else if (c == 'x')
      hexadecimal(2);
    else if (c == 'u')
      hexadecimal(4);
    else if (c == 'U')
      hexadecimal(8);
    else if (c == 'N')
      error_ = "the escape \\N{...} is not supported";
    else
      out_ += {'\\', c};
  }

  void octal(char first) {
    int value = first - '0';
    for (int i = 0; i < 2 && position_ < text_.size() && text_[position_] >= '0' && text_[position_] <= '7';
         ++i) {
      value = value * 8 + (text_[position_++] - '0');
    }
    append_code_point(out_, value);
  }

  void hexadecimal(size_t digits) {
    int64_t value = 0;
    for (size_t i = 0; i < digits; ++i) {
      const int digit = position_ < text_.size() ? digit_value(text_[position_]) : 99;
      if (digit >= 16) {
        error_ = "an escape of the string lacks hexadecimal digits";
        return;
      }
      value = value * 16 + digit;
      ++position_;
    }
    if (value > 0x10FFFF || (value >= 0xD800 && value <= 0xDFFF)) {
      error_ = fmt::format("the escape U+{:04X} is not a character", value);
      return;
    }
    append_code_point(out_, static_cast<int32_t>(value));
  }

  std::string text_;
  size_t position_ = 0;
  std::string out_;
  std::string error_;
};

}  // namespace

size_t integer_literal_end(std::string_view source, size_t position) {
  const int base = base_of_prefix(source.substr(position));
  const auto scan = [&](size_t from, int limit) {
    size_t end = from;
    for (size_t p = from; p < source.size();) {
      if (source[p] == '_' && p + 1 < source.size()) ++p;
      if (digit_value(source[p]) >= limit) break;
      end = ++p;
    }
    return end;
  };
  if (base != 10 && scan(position + 2, base) > position + 2) return scan(position + 2, base);
  // "0" is followed by zeros only.
  return source[position] == '0' ? scan(position + 1, 1) : scan(position + 1, 10);
}

std::optional<int64_t> parse_integer_literal(std::string_view text) {
  const int base = base_of_prefix(text);
  const std::string digits = without_underscores(base == 10 ? text : text.substr(2));
  int64_t value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  if (read.ec != std::errc()) return std::nullopt;
  return value;
}

double parse_real_literal(std::string_view text) {
  return parse_python_float(without_underscores(text)).value_or(0.0);
}

std::optional<std::string> unescape_string(std::string_view body, std::string& error) {
  return Unescaper(body).run(error);
}

std::optional<ParsedInteger> parse_python_int(std::string_view text, int base) {
  text = stripped(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const int prefix = base_of_prefix(text);
  const bool has_prefix = prefix != 10 && (base == prefix || base == 0);
  if (has_prefix) {
    text.remove_prefix(2);
    base = prefix;
    if (text.starts_with('_')) text.remove_prefix(1);
  } else if (base == 0) {
    // int("012", 0) is an error; only zeros may begin with zero.
    if (text.starts_with('0') && text.find_first_not_of("0_") != std::string_view::npos) return std::nullopt;
    base = 10;
  }
  if (text.empty() || !underscores_are_fine(text)) return std::nullopt;
  std::string digits = without_underscores(text);
  for (const char c : digits) {
    if (digit_value(c) >= base) return std::nullopt;
  }
  if (negative) digits.insert(digits.begin(), '-');
  ParsedInteger parsed;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), parsed.value, base);
  parsed.fits = read.ec == std::errc();
  return parsed;
}

std::optional<double> parse_python_float(std::string_view text) {
  text = stripped(text);
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  std::string lowered(text);
  std::transform(lowered.begin(), lowered.end(), lowered.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? char(c | 0x20) : c; });
  const double sign = negative ? -1.0 : 1.0;
  if (lowered == "inf" || lowered == "infinity") return sign * std::numeric_limits<double>::infinity();
  if (lowered == "nan") return std::numeric_limits<double>::quiet_NaN();
  for (size_t i = 0; i < lowered.size(); ++i) {
    const auto is_digit = [&](size_t at) {
      return at < lowered.size() && lowered[at] >= '0' && lowered[at] <= '9';
    };
    if (lowered[i] == '_' && !(i > 0 && is_digit(i - 1) && is_digit(i + 1))) return std::nullopt;
  }
  const std::string digits = without_underscores(lowered);
  if (digits.empty() || digits.find_first_not_of("0123456789.e+-") != std::string::npos) return std::nullopt;
  if (digits[0] == '-' || digits[0] == '+') return std::nullopt;
  double value = 0;
  const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (read.ptr != digits.data() + digits.size()) return std::nullopt;
  if (read.ec == std::errc::result_out_of_range) {
    // Too large or too small; the digits before the exponent's sign tell which.
    const bool tiny = digits.find("e-") != std::string::npos || digits.starts_with("0.0");
    return tiny ? sign * 0.0 : sign * std::numeric_limits<double>::infinity();
  }
  if (read.ec != std::errc()) return std::nullopt;
  return sign * value;
}

}  // namespace cuset::text::jinja
