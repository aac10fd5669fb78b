// What tests of pages look for in the HTML they are given.
#pragma once

#include <string_view>

#include "base/json/json.h"

namespace cuset::support {

inline size_t count_of(std::string_view text, std::string_view part) {
  size_t count = 0;
  for (size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) ++count;
  return count;
}

// The data that the page's script reads.
inline base::Json data_of_page(std::string_view page) {
  const std::string_view open = "id=\"data\">";
  const size_t begin = page.find(open) + open.size();
  return base::parse_json(page.substr(begin, page.find("</script>", begin) - begin), "page");
}

}  // namespace cuset::support
