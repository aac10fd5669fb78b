// Python's string methods, on code points, with provenance.
#pragma once

#include <optional>
#include <vector>

#include "text/jinja/value.h"

namespace cuset::text::jinja {

// start:stop:step of a subscript; absent parts as in Python.
struct Slice {
  std::optional<int64_t> start, stop, step;
};

// The positions that a slice picks from a sequence of `size` items: `count` of them, `step` apart.
struct SliceRange {
  int64_t start = 0, count = 0, step = 1;
};
// Fails for a step of zero.
SliceRange resolve_slice(const Slice& slice, size_t size);

TextPtr slice_text(const Text& text, const Slice& slice, Budget& budget);
// The character at `index` (negative from the end), or null.
TextPtr character_at(const Text& text, int64_t index, Budget& budget);

enum class Side { left, right, both };
// Strips whitespace, or the characters of `characters` if given.
TextPtr strip(const Text& text, const Text* characters, Side side, Budget& budget);

// str.split / str.rsplit; without separator on runs of whitespace. A negative limit means none.
struct SplitOptions {
  const Text* separator = nullptr;
  int64_t limit = -1;
  bool from_right = false;
};
std::vector<Value> split(const Text& text, const SplitOptions& options, Budget& budget);
std::vector<Value> split_lines(const Text& text, bool keep_ends, Budget& budget);

struct Replacement {
  const Text& old_text;
  const Text& new_text;
  int64_t limit = -1;
};
TextPtr replace(const Text& text, const Replacement& change, Budget& budget);

// Byte position of `part`, from the left or from the right, or npos.
size_t find_bytes(std::string_view text, std::string_view part, size_t from, Budget& budget);
size_t find_bytes_from_right(std::string_view text, std::string_view part, Budget& budget);
// str.count.
int64_t count_of(const Text& text, const Text& part, Budget& budget);

// separator.join(items); the items must be strings.
TextPtr join(const Text& separator, const std::vector<Value>& items, Budget& budget);
TextPtr concatenate(const Text& a, const Text& b, Budget& budget);
TextPtr repeat(const Text& text, int64_t times, Budget& budget);

// `format % arguments` with %s, %d, %i, %r and %%; and str.format with plain {} {0} {name} fields.
TextPtr format_percent(const Text& format, const Value& arguments, Budget& budget);
struct FormatArguments {
  const std::vector<Value>& positional;
  const std::vector<std::pair<std::string, Value>>& named;
};
TextPtr format_braces(const Text& format, const FormatArguments& arguments, Budget& budget);

}  // namespace cuset::text::jinja
