// Long texts in a page: zlib's format (RFC 1950) in base64, which the browser unpacks by itself
// (DecompressionStream "deflate"). Programs shrink to a fifth or less, and no character of base64 means
// anything to HTML.
#pragma once

#include <string>
#include <string_view>

namespace cuset::report {

std::string packed_text(std::string_view text);

}  // namespace cuset::report
