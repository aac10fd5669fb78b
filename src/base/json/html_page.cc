#include "base/json/html_page.h"

#include <algorithm>

#include "base/error.h"

namespace cuset::base {

std::string html_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string json_for_script(const Json& value) {
  std::string out;
  for (const char c : to_json_line(value)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string fill_page(std::string_view page,
                      const std::vector<std::pair<std::string_view, std::string_view>>& values) {
  std::string out;
  size_t filled = 0;
  for (size_t open = page.find("{{"); open != std::string_view::npos; open = page.find("{{")) {
    const size_t close = page.find("}}", open);
    CUSET_CHECK(close != std::string_view::npos, "a place of the page has no end");
    const std::string_view name = page.substr(open + 2, close - open - 2);
    const auto value = std::find_if(values.begin(), values.end(),
                                    [name](const auto& candidate) { return candidate.first == name; });
    CUSET_CHECK(value != values.end(), "the page's place {} has no value", name);
    out.append(page.substr(0, open)).append(value->second);
    page.remove_prefix(close + 2);
    ++filled;
  }
  CUSET_CHECK(filled >= values.size(), "the page has {} places for {} values", filled, values.size());
  return out.append(page);
}

}  // namespace cuset::base
