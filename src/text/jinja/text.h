// Strings of the template engine: UTF-8 text in which every byte range that came from a message remembers
// where it came from. Provenance survives every string operation, so that the rendered chat can be split into
// what the template wrote (special tokens are meant) and what a user wrote (special tokens are only letters).
//
// A Mark covers [begin, end) of the text and names [origin_begin, origin_end) of the string numbered
// `origin`. A copy holds the same bytes; anything else (an escaped newline, letters made upper case) stands
// for its origin as a whole. Marks are sorted, do not overlap, and neighbors that continue each other are
// merged. Text without a mark is the template's.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::text::jinja {

struct Mark {
  uint32_t begin = 0;
  uint32_t end = 0;
  int32_t origin = -1;
  uint32_t origin_begin = 0;
  uint32_t origin_end = 0;
  bool is_copy = true;
};

// Valid UTF-8 with its marks. `is_safe` is Jinja's Markup: text that passed the filter "safe".
struct Text {
  std::string bytes;
  std::vector<Mark> marks;
  bool is_safe = false;

  // Number of code points.
  size_t length() const;
  // Bytes that a copy takes.
  size_t cost() const { return bytes.size() + marks.size() * sizeof(Mark); }
  // What an operation that may mark every character anew costs.
  size_t remarking_cost() const { return bytes.size() * (marks.empty() ? 8 : 8 + sizeof(Mark)); }
};

using TextPtr = std::shared_ptr<const Text>;

// Builds a Text from pieces, carrying marks along.
class TextBuilder {
 public:
  void append(std::string_view plain) { text_.bytes += plain; }
  void append(const Text& piece) { append(piece, 0, piece.bytes.size()); }
  // The bytes [begin, end) of `piece`.
  void append(const Text& piece, size_t begin, size_t end);
  // `replacement` standing for the bytes [begin, end) of `source`: it inherits their provenance.
  void append_mapped(std::string_view replacement, const Text& source, size_t begin, size_t end);

  size_t size() const { return text_.bytes.size(); }
  TextPtr finish() { return std::make_shared<const Text>(std::move(text_)); }
  Text take() { return std::move(text_); }

 private:
  void add_mark(Mark mark);

  Text text_;
};

TextPtr make_text(std::string_view plain);
// The bytes [begin, end) of `text`.
TextPtr slice_bytes(const Text& text, size_t begin, size_t end);

// One code point of valid UTF-8, and where the next begins.
struct CodePoint {
  int32_t value = 0;
  size_t end = 0;
};
CodePoint code_point_at(std::string_view text, size_t position);
// Start of the code point that ends at `position` > 0.
size_t code_point_before(std::string_view text, size_t position);
void append_code_point(std::string& out, int32_t value);
// Byte position of every code point, and the size of the text as last element.
std::vector<uint32_t> code_point_starts(std::string_view text);
// Byte position of the first invalid sequence, or npos.
size_t find_invalid_utf8(std::string_view text);

// Python's str.isspace for one code point, which is also what Jinja's whitespace control trims.
bool is_space(int32_t code_point);

}  // namespace cuset::text::jinja
