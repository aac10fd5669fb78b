#include "serve/page/answer_regions.h"

#include <vector>

#include "base/json/json_cursor.h"
#include "cuda_source/answer.h"

namespace cuset::serve {
namespace {

constexpr size_t kLongestText = 1 << 20;

// Of every byte, and of the end. JSON has made sure that the text is UTF-8.
std::vector<size_t> utf16_offsets(const std::string& text) {
  std::vector<size_t> offsets;
  offsets.reserve(text.size() + 1);
  size_t units = 0;
  for (const char c : text) {
    offsets.push_back(units);
    const auto byte = static_cast<unsigned char>(c);
    const bool continues = (byte & 0xC0) == 0x80;
    // What needs four bytes needs a pair of units.
    if (!continues) units += byte >= 0xF0 ? 2 : 1;
  }
  offsets.push_back(units);
  return offsets;
}

}  // namespace

base::Json answer_regions(const base::Json& document) {
  const base::JsonCursor body(document, "request");
  body.expect_only({"text"});
  const std::string& text = body.at("text").string();
  if (text.size() > kLongestText) body.at("text").refuse("is longer than a mebibyte");
  const std::vector<size_t> offsets = utf16_offsets(text);
  base::Json regions = base::Json::array();
  for (const cuda_source::Region& region : cuda_source::find_regions_in_answer(text)) {
    regions.push_back({{"begin", offsets[region.begin]},
                       {"end", offsets[region.end]},
                       {"kind", cuda_source::name_of(region.kind)},
                       {"name", region.name}});
  }
  return {{"regions", regions}};
}

}  // namespace cuset::serve
