// Tokens of Python source, with indentation turned into kIndent and kDedent.
//
// Brackets join lines, a backslash does too, comments vanish, adjacent string literals stay separate tokens.
// Numbers: decimal, hexadecimal, octal and binary whole numbers up to 2^63 - 1, and floats; no imaginary
// ones.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::script {

struct Token {
  enum class Kind : uint8_t {
    kName,
    kInteger,
    kFloat,
    kImaginary,
    kString,     // text: the characters, escapes resolved
    kFormatted,  // an f-string; text: as written, escapes resolved
    kOperator,
    kNewline,
    kIndent,
    kDedent,
    kEnd,
  };
  Kind kind = Kind::kEnd;
  std::string text;
  int line = 1;
  int64_t integer = 0;
  double number = 0;
};

// Ends with kEnd, all indents closed. Throws Failure with its line for what is no Python token.
std::vector<Token> tokens_of(std::string_view source);

}  // namespace cuset::script
