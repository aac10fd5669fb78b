// Texts as fields of CSV (RFC 4180).
#pragma once

#include <string>
#include <string_view>

namespace cuset::study {

// In quotes where it needs them.
inline std::string csv_field(std::string_view text) {
  if (text.find_first_of(",\"\n\r") == std::string_view::npos) return std::string(text);
  std::string field = "\"";
  for (const char c : text) {
    if (c == '"') field += '"';
    field += c;
  }
  return field + '"';
}

}  // namespace cuset::study
