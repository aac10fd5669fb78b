// Words that have no case: names in HTTP headers, in sources, of kernels. Only ASCII letters change.
#pragma once

#include <string>
#include <string_view>

namespace cuset::base {

inline std::string in_lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return lower;
}

}  // namespace cuset::base
