// JSON values. `Json` keeps object keys in the order of the file, so that what we rewrite stays readable and
// what depends on order (tokenizer files, templates) is exact.
#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace cuset {

using Json = nlohmann::ordered_json;

// Parses `text`; `name` (a file, or file:line) opens the message of the Error thrown for malformed input.
// Documents nested deeper than 512 levels are refused.
Json parse_json(std::string_view text, std::string_view name);

// Reads and parses a whole file.
Json read_json_file(const std::filesystem::path& path);

// Compact text on one line; invalid UTF-8 in strings is replaced by U+FFFD.
std::string to_json_line(const Json& value);

// Indented text with a closing newline, written atomically.
void write_json_file(const std::filesystem::path& path, const Json& value);

}  // namespace cuset
