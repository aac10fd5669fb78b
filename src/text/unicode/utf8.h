// UTF-8: reading and writing characters, finding and replacing what is not valid.
//
// Validity is that of the Unicode standard: no overlong forms, no surrogates, nothing above U+10FFFF. A
// faulty sequence is as long as the standard's "maximal subpart", so that replacing gives the same count of
// U+FFFD as other conforming libraries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace cuset::text {

struct Utf8Char {
  char32_t code = 0;
  uint32_t size = 0;  // bytes
};

// The character that starts at text[position]. `text` must be valid and position inside it, on a character.
inline Utf8Char decode_utf8(std::string_view text, size_t position) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[position + i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1};
  if (lead < 0xE0) return {char32_t((lead & 0x1Fu) << 6 | (byte(1) & 0x3Fu)), 2};
  if (lead < 0xF0) {
    return {char32_t((lead & 0x0Fu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu)), 3};
  }
  return {
      char32_t((lead & 0x07u) << 18 | (byte(1) & 0x3Fu) << 12 | (byte(2) & 0x3Fu) << 6 | (byte(3) & 0x3Fu)),
      4};
}

// Whether `byte` continues a character (10xxxxxx).
inline bool continues_utf8(char byte) { return (static_cast<unsigned char>(byte) & 0xC0) == 0x80; }

// Appends the UTF-8 form of a scalar value.
void append_utf8(std::string& out, char32_t code);

// Position of the first byte that does not belong to valid UTF-8, or npos.
size_t find_invalid_utf8(std::string_view text);

// `text` with every faulty sequence replaced by U+FFFD.
std::string replace_invalid_utf8(std::string_view text);

// Moves everything from the front of `pending` to `out` that no later byte can change: whole characters as
// they are, faulty sequences as U+FFFD. What stays in `pending` is the beginning of one character, at most 3
// bytes.
void move_complete_utf8(std::string& pending, std::string& out);

// The White_Space property of Unicode.
bool is_white_space(char32_t code);

}  // namespace cuset::text
