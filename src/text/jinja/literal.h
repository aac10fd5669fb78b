// Literals of the template language: numbers as Jinja2 writes them (1_000, 0x1F, 1.5e3) and the escapes of
// strings, which are those of Python's codec "unicode-escape".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace cuset::text::jinja {

// End of the integer literal that begins at `position`, where a digit stands.
size_t integer_literal_end(std::string_view source, size_t position);
// Nothing if the number does not fit 64 bits.
std::optional<int64_t> parse_integer_literal(std::string_view text);
double parse_real_literal(std::string_view text);

// The content of a string literal, or nothing and the reason in `error`.
std::optional<std::string> unescape_string(std::string_view body, std::string& error);

// int(text, base) and float(text) of Python; nothing where Python raises ValueError.
struct ParsedInteger {
  bool fits = true;  // false: a valid integer beyond 64 bits
  int64_t value = 0;
};
std::optional<ParsedInteger> parse_python_int(std::string_view text, int base);
std::optional<double> parse_python_float(std::string_view text);

}  // namespace cuset::text::jinja
