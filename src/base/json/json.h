// JSON values. `Json` keeps object keys in the order of the file, so that what we rewrite stays readable and
// what depends on order (tokenizer files, templates) is exact.
//
// Reading is strict (RFC 8259): no comments, no trailing commas, no NaN, strings are valid UTF-8, at most 512
// levels. A repeated key keeps the place of its first appearance and the value of its last, as in Python and
// JavaScript. Integers outside 64 bits become doubles; a number beyond the doubles is refused. Time is O(n
// log n) in the text's size, also for an object with a million keys. (Looking up one key in a Json object is
// linear: walk through big ones.)
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>

namespace cuset::base {

using Json = nlohmann::ordered_json;

// Why a text is not JSON. `reason` is short and printable whatever the text holds.
struct JsonFault {
  size_t position = 0;  // byte in the text; its size where the text ends too early
  std::string reason;
};

// The value of `text`, or what is wrong with it.
std::variant<Json, JsonFault> try_parse_json(std::string_view text);

// Parses `text`; `name` (a file, or file:line) opens the message of the Error thrown for malformed input.
Json parse_json(std::string_view text, std::string_view name);

// Reads and parses a whole file or pipe.
Json read_json_file(const std::filesystem::path& path);

// Compact text on one line; invalid UTF-8 in strings is replaced by U+FFFD, NaN and infinities become null.
std::string to_json_line(const Json& value);

// Indented text with a closing newline, written atomically.
void write_json_file(const std::filesystem::path& path, const Json& value);

}  // namespace cuset::base
