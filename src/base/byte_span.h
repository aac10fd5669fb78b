// A half-open range of bytes [begin, end) of some text. The text itself is always named by the function that
// returns the span.
#pragma once

#include <cstddef>
#include <string_view>

namespace cuset::base {

struct ByteSpan {
  size_t begin = 0;
  size_t end = 0;

  size_t size() const { return end - begin; }
  bool contains(size_t offset) const { return begin <= offset && offset < end; }
  std::string_view of(std::string_view text) const { return text.substr(begin, end - begin); }

  friend bool operator==(const ByteSpan&, const ByteSpan&) = default;
  friend auto operator<=>(const ByteSpan&, const ByteSpan&) = default;
};

}  // namespace cuset::base
