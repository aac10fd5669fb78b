#include "text/unicode/aligned_text.h"

#include "base/error.h"
#include "text/unicode/utf8.h"

namespace cuset::text {

void AlignedText::transform(const std::vector<Change>& changes) {
  const std::string_view old = view();
  std::string text;
  std::vector<TokenSpan> places;
  size_t position = 0;
  const auto skip_char = [&] {
    if (position < old.size()) position += decode_utf8(old, position).size;
  };
  for (const Change& change : changes) {
    TokenSpan place;
    if (change.change > 0) {
      if (position > 0) place = source(position - 1, position);
    } else {
      CUSET_CHECK(position < old.size(), "a change past the end, at byte {}", position);
      place = source(position, position + 1);
      for (int i = change.change; i <= 0; ++i) skip_char();
    }
    append_utf8(text, change.code);
    places.resize(text.size(), place);
  }
  assign(std::move(text), std::move(places));
}

void AlignedText::assign(std::string text, std::vector<TokenSpan> places) {
  CUSET_CHECK(text.size() == places.size(), "{} bytes, {} places", text.size(), places.size());
  text_ = std::move(text);
  places_ = std::move(places);
  changed_ = true;
}

AlignedText AlignedText::slice(size_t begin, size_t end) const {
  if (!changed_) return {original_.substr(begin, end - begin), static_cast<uint32_t>(base_ + begin)};
  AlignedText part(original_, base_);
  part.assign(text_.substr(begin, end - begin), {places_.begin() + static_cast<ptrdiff_t>(begin),
                                                 places_.begin() + static_cast<ptrdiff_t>(end)});
  return part;
}

void AlignedText::prepend(std::string_view prefix) {
  const std::string_view old = view();
  if (old.empty()) return;
  std::vector<TokenSpan> places(prefix.size(), source(0, 1));
  places.reserve(prefix.size() + old.size());
  for (size_t i = 0; i < old.size(); ++i) places.push_back(source(i, i + 1));
  assign(std::string(prefix).append(old), std::move(places));
}

}  // namespace cuset::text
