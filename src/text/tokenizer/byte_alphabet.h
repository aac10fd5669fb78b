// The byte alphabet of byte-level BPE: each of the 256 bytes written as one printable character, so that any
// text can be a key of a JSON object. Printable Latin-1 bytes stand for themselves; the 68 others, in order,
// are U+0100, U+0101, ... (a space is U+0120, "Ġ"; a line feed U+010A, "Ċ").
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace cuset::text {

// The character that stands for `byte`.
char32_t alphabet_char(uint8_t byte);

// `bytes` written in the alphabet.
std::string to_byte_alphabet(std::string_view bytes);

// The bytes that `token` (valid UTF-8) spells, or nothing if one of its characters is not in the alphabet.
std::optional<std::string> from_byte_alphabet(std::string_view token);

}  // namespace cuset::text
