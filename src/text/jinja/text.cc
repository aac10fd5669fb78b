#include "text/jinja/text.h"

#include <utf8proc.h>

#include <algorithm>

#include "base/error.h"

namespace cuset::text::jinja {
namespace {

bool is_continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; }

// The part of `mark` inside [begin, end) of its text, still in that text's positions.
Mark clipped(const Mark& mark, uint32_t begin, uint32_t end) {
  Mark part = mark;
  part.begin = std::max(mark.begin, begin);
  part.end = std::min(mark.end, end);
  if (mark.is_copy) {
    part.origin_begin = mark.origin_begin + (part.begin - mark.begin);
    part.origin_end = mark.origin_end - (mark.end - part.end);
  }
  return part;
}

auto first_mark_ending_after(const Text& text, size_t position) {
  return std::partition_point(text.marks.begin(), text.marks.end(),
                              [&](const Mark& mark) { return mark.end <= position; });
}

}  // namespace

size_t Text::length() const {
  return bytes.size() - static_cast<size_t>(std::count_if(bytes.begin(), bytes.end(), is_continuation));
}

void TextBuilder::add_mark(Mark mark) {
  if (!text_.marks.empty()) {
    Mark& last = text_.marks.back();
    const bool is_neighbor =
        last.origin == mark.origin && last.end == mark.begin && last.is_copy == mark.is_copy;
    const bool continues = last.origin_end == mark.origin_begin;
    const bool is_same_part =
        !mark.is_copy && last.origin_begin == mark.origin_begin && last.origin_end == mark.origin_end;
    if (is_neighbor && (continues || is_same_part)) {
      last.end = mark.end;
      last.origin_end = mark.origin_end;
      return;
    }
  }
  text_.marks.push_back(mark);
}

void TextBuilder::append(const Text& piece, size_t begin, size_t end) {
  if (begin >= end) return;
  const auto shift = static_cast<int64_t>(text_.bytes.size()) - static_cast<int64_t>(begin);
  text_.bytes.append(piece.bytes, begin, end - begin);
  for (auto mark = first_mark_ending_after(piece, begin); mark != piece.marks.end() && mark->begin < end;
       ++mark) {
    Mark part = clipped(*mark, static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
    part.begin = static_cast<uint32_t>(part.begin + shift);
    part.end = static_cast<uint32_t>(part.end + shift);
    add_mark(part);
  }
}

void TextBuilder::append_mapped(std::string_view replacement, const Text& source, size_t begin, size_t end) {
  const size_t start = text_.bytes.size();
  text_.bytes += replacement;
  if (replacement.empty() || source.marks.empty()) return;
  const auto mark = first_mark_ending_after(source, begin);
  if (mark == source.marks.end() || mark->begin >= end) return;
  Mark part = clipped(*mark, static_cast<uint32_t>(begin), static_cast<uint32_t>(end));
  part.begin = static_cast<uint32_t>(start);
  part.end = static_cast<uint32_t>(text_.bytes.size());
  const std::string_view replaced = std::string_view(source.bytes).substr(begin, end - begin);
  part.is_copy =
      part.is_copy && replaced == replacement && part.origin_end - part.origin_begin == end - begin;
  add_mark(part);
}

TextPtr make_text(std::string_view plain) {
  return std::make_shared<const Text>(Text{std::string(plain), {}, false});
}

TextPtr slice_bytes(const Text& text, size_t begin, size_t end) {
  TextBuilder builder;
  builder.append(text, begin, std::max(begin, end));
  return builder.finish();
}

CodePoint code_point_at(std::string_view text, size_t position) {
  const auto lead = static_cast<unsigned char>(text[position]);
  if (lead < 0x80) return {lead, position + 1};
  utf8proc_int32_t value = 0;
  const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + position;
  const auto used = utf8proc_iterate(data, static_cast<utf8proc_ssize_t>(text.size() - position), &value);
  CUSET_CHECK(used > 0, "text of a template holds invalid UTF-8 at byte {}", position);
  return {value, position + static_cast<size_t>(used)};
}

size_t code_point_before(std::string_view text, size_t position) {
  do --position;
  while (position > 0 && is_continuation(text[position]));
  return position;
}

void append_code_point(std::string& out, int32_t value) {
  utf8proc_uint8_t bytes[4];
  const auto size = utf8proc_encode_char(value, bytes);
  out.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(size));
}

std::vector<uint32_t> code_point_starts(std::string_view text) {
  std::vector<uint32_t> starts;
  starts.reserve(text.size() + 1);
  for (size_t i = 0; i < text.size(); ++i) {
    if (!is_continuation(text[i])) starts.push_back(static_cast<uint32_t>(i));
  }
  starts.push_back(static_cast<uint32_t>(text.size()));
  return starts;
}

size_t find_invalid_utf8(std::string_view text) {
  const auto* data = reinterpret_cast<const utf8proc_uint8_t*>(text.data());
  for (size_t position = 0; position < text.size();) {
    if (static_cast<unsigned char>(text[position]) < 0x80) {
      ++position;
      continue;
    }
    utf8proc_int32_t value = 0;
    const auto left = static_cast<utf8proc_ssize_t>(text.size() - position);
    const auto used = utf8proc_iterate(data + position, left, &value);
    if (used <= 0) return position;
    position += static_cast<size_t>(used);
  }
  return std::string_view::npos;
}

bool is_space(int32_t c) {
  return (c >= 0x09 && c <= 0x0D) || (c >= 0x1C && c <= 0x20) || c == 0x85 || c == 0xA0 || c == 0x1680 ||
         (c >= 0x2000 && c <= 0x200A) || c == 0x2028 || c == 0x2029 || c == 0x202F || c == 0x205F ||
         c == 0x3000;
}

}  // namespace cuset::text::jinja
