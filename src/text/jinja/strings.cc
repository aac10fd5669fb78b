#include "text/jinja/strings.h"

#include <cstring>

namespace cuset::text::jinja {
namespace {

size_t lead_space(std::string_view text, size_t position) {
  while (position < text.size()) {
    const CodePoint c = code_point_at(text, position);
    if (!is_space(c.value)) break;
    position = c.end;
  }
  return position;
}

size_t trail_space(std::string_view text, size_t end, size_t begin) {
  while (end > begin) {
    const size_t start = code_point_before(text, end);
    if (!is_space(code_point_at(text, start).value)) break;
    end = start;
  }
  return end;
}

size_t word_end(std::string_view text, size_t position) {
  while (position < text.size()) {
    const CodePoint c = code_point_at(text, position);
    if (is_space(c.value)) break;
    position = c.end;
  }
  return position;
}

size_t word_start(std::string_view text, size_t end) {
  while (end > 0) {
    const size_t start = code_point_before(text, end);
    if (is_space(code_point_at(text, start).value)) break;
    end = start;
  }
  return end;
}

bool is_left(const SplitOptions& options, size_t done) {
  return options.limit < 0 || done < static_cast<size_t>(options.limit);
}

std::vector<Value> split_on_space(const Text& text, const SplitOptions& options) {
  std::vector<Value> parts;
  size_t begin = lead_space(text.bytes, 0);
  while (begin < text.bytes.size()) {
    // The last part keeps its inner blanks, and its trailing ones too, as in Python.
    const size_t end = is_left(options, parts.size()) ? word_end(text.bytes, begin) : text.bytes.size();
    parts.push_back(slice_bytes(text, begin, end));
    begin = lead_space(text.bytes, end);
  }
  return parts;
}

std::vector<Value> rsplit_on_space(const Text& text, const SplitOptions& options) {
  std::vector<Value> parts;
  size_t end = trail_space(text.bytes, text.bytes.size(), 0);
  while (end > 0) {
    const size_t begin = is_left(options, parts.size()) ? word_start(text.bytes, end) : 0;
    parts.push_back(slice_bytes(text, begin, end));
    end = trail_space(text.bytes, begin, 0);
  }
  std::reverse(parts.begin(), parts.end());
  return parts;
}

std::vector<Value> split_on(const Text& text, const SplitOptions& options, Budget& budget) {
  const std::string& separator = options.separator->bytes;
  std::vector<Value> parts;
  size_t begin = 0;
  while (is_left(options, parts.size())) {
    const size_t found = find_bytes(text.bytes, separator, begin, budget);
    if (found == std::string::npos) break;
    budget.charge_items(1);
    parts.push_back(slice_bytes(text, begin, found));
    begin = found + separator.size();
  }
  parts.push_back(slice_bytes(text, begin, text.bytes.size()));
  return parts;
}

std::vector<Value> rsplit_on(const Text& text, const SplitOptions& options, Budget& budget) {
  const std::string& separator = options.separator->bytes;
  std::vector<Value> parts;
  size_t end = text.bytes.size();
  while (is_left(options, parts.size())) {
    const size_t found =
        find_bytes_from_right(std::string_view(text.bytes).substr(0, end), separator, budget);
    if (found == std::string::npos) break;
    budget.charge_items(1);
    parts.push_back(slice_bytes(text, found + separator.size(), end));
    end = found;
  }
  parts.push_back(slice_bytes(text, 0, end));
  std::reverse(parts.begin(), parts.end());
  return parts;
}

bool is_line_break(int32_t c) {
  return (c >= 0x0A && c <= 0x0D) || (c >= 0x1C && c <= 0x1E) || c == 0x85 || c == 0x2028 || c == 0x2029;
}

// Parts of text marked safe are marked safe too.
TextPtr as_safe_as(const Text& origin, TextPtr made) {
  if (!origin.is_safe) return made;
  Text text = *made;
  text.is_safe = true;
  return std::make_shared<const Text>(std::move(text));
}

// "" is found between all characters, in replace and count.
TextPtr insert_everywhere(const Text& text, const Replacement& change, Budget& budget) {
  TextBuilder out;
  int64_t done = 0;
  const auto insert = [&] {
    if (change.limit >= 0 && done >= change.limit) return;
    ++done;
    budget.charge(2 * change.new_text.cost() + 8);
    out.append(change.new_text);
  };
  insert();
  for (size_t position = 0; position < text.bytes.size();) {
    const size_t end = code_point_at(text.bytes, position).end;
    out.append(text, position, end);
    insert();
    position = end;
  }
  return out.finish();
}

}  // namespace

SliceRange resolve_slice(const Slice& slice, size_t size) {
  const int64_t step = slice.step.value_or(1);
  if (step == 0) fail("slice step cannot be zero");
  if (step == INT64_MIN) fail("slice step is too large");
  const auto count = static_cast<int64_t>(size);
  const int64_t lowest = step > 0 ? 0 : -1;
  const int64_t highest = step > 0 ? count : count - 1;
  const auto place = [&](const std::optional<int64_t>& bound, int64_t otherwise) {
    if (!bound) return otherwise;
    const int64_t index = *bound < 0 ? *bound + count : *bound;
    return std::clamp(index, lowest, highest);
  };
  const int64_t start = place(slice.start, step > 0 ? lowest : highest);
  const int64_t stop = place(slice.stop, step > 0 ? highest : lowest);
  const int64_t span = step > 0 ? stop - start : start - stop;
  const int64_t width = step > 0 ? step : -step;
  return {start, span <= 0 ? 0 : (span - 1) / width + 1, step};
}

TextPtr slice_text(const Text& text, const Slice& slice, Budget& budget) {
  budget.charge(text.remarking_cost());
  const auto starts = code_point_starts(text.bytes);
  const SliceRange range = resolve_slice(slice, starts.size() - 1);
  const auto start = static_cast<size_t>(range.start);
  if (range.count == 0) return as_safe_as(text, make_text(""));
  if (range.step == 1) {
    return as_safe_as(text,
                      slice_bytes(text, starts[start], starts[start + static_cast<size_t>(range.count)]));
  }
  TextBuilder out;
  for (int64_t i = 0; i < range.count; ++i) {
    const auto index = static_cast<size_t>(range.start + i * range.step);
    out.append(text, starts[index], starts[index + 1]);
  }
  return as_safe_as(text, out.finish());
}

TextPtr character_at(const Text& text, int64_t index, Budget& budget) {
  budget.charge(text.remarking_cost());
  const auto starts = code_point_starts(text.bytes);
  const auto count = static_cast<int64_t>(starts.size()) - 1;
  if (index < 0) index += count;
  if (index < 0 || index >= count) return nullptr;
  const auto at = static_cast<size_t>(index);
  return as_safe_as(text, slice_bytes(text, starts[at], starts[at + 1]));
}

TextPtr strip(const Text& text, const Text* characters, Side side, Budget& budget) {
  std::vector<int32_t> set;
  for (size_t i = 0; characters != nullptr && i < characters->bytes.size();) {
    const CodePoint c = code_point_at(characters->bytes, i);
    set.push_back(c.value);
    i = c.end;
  }
  std::sort(set.begin(), set.end());
  budget.charge(2 * text.cost() + 4 * set.size());
  const auto goes = [&](int32_t c) {
    return characters == nullptr ? is_space(c) : std::binary_search(set.begin(), set.end(), c);
  };
  size_t begin = 0;
  size_t end = text.bytes.size();
  while (side != Side::right && begin < end && goes(code_point_at(text.bytes, begin).value)) {
    begin = code_point_at(text.bytes, begin).end;
  }
  while (side != Side::left && end > begin) {
    const size_t start = code_point_before(text.bytes, end);
    if (!goes(code_point_at(text.bytes, start).value)) break;
    end = start;
  }
  return as_safe_as(text, slice_bytes(text, begin, end));
}

std::vector<Value> split(const Text& text, const SplitOptions& options, Budget& budget) {
  budget.charge(4 * text.cost());
  if (options.separator == nullptr) {
    budget.charge_items(text.bytes.size());
    return options.from_right ? rsplit_on_space(text, options) : split_on_space(text, options);
  }
  if (options.separator->bytes.empty()) fail("empty separator");
  return options.from_right ? rsplit_on(text, options, budget) : split_on(text, options, budget);
}

std::vector<Value> split_lines(const Text& text, bool keep_ends, Budget& budget) {
  budget.charge(4 * text.cost());
  std::vector<Value> lines;
  size_t begin = 0;
  for (size_t position = 0; position < text.bytes.size();) {
    const CodePoint c = code_point_at(text.bytes, position);
    size_t next = c.end;
    if (is_line_break(c.value)) {
      if (c.value == '\r' && next < text.bytes.size() && text.bytes[next] == '\n') ++next;
      budget.charge_items(1);
      lines.push_back(slice_bytes(text, begin, keep_ends ? next : position));
      begin = next;
    }
    position = next;
  }
  if (begin < text.bytes.size()) lines.push_back(slice_bytes(text, begin, text.bytes.size()));
  return lines;
}

TextPtr replace(const Text& text, const Replacement& change, Budget& budget) {
  budget.charge(4 * text.cost());
  const std::string& old_bytes = change.old_text.bytes;
  if (old_bytes.empty()) return insert_everywhere(text, change, budget);
  TextBuilder out;
  size_t begin = 0;
  for (int64_t done = 0; change.limit < 0 || done < change.limit; ++done) {
    const size_t found = find_bytes(text.bytes, old_bytes, begin, budget);
    if (found == std::string::npos) break;
    budget.charge(2 * change.new_text.cost() + 8);
    out.append(text, begin, found);
    out.append(change.new_text);
    begin = found + old_bytes.size();
  }
  out.append(text, begin, text.bytes.size());
  return out.finish();
}

size_t find_bytes(std::string_view text, std::string_view part, size_t from, Budget& budget) {
  if (from > text.size()) return std::string_view::npos;
  const void* found = ::memmem(text.data() + from, text.size() - from, part.data(), part.size());
  const size_t position = found == nullptr
                              ? std::string_view::npos
                              : static_cast<size_t>(static_cast<const char*>(found) - text.data());
  budget.charge((found == nullptr ? text.size() : position) - from + part.size() + 8);
  return position;
}

size_t find_bytes_from_right(std::string_view text, std::string_view part, Budget& budget) {
  if (part.size() > text.size()) return std::string_view::npos;
  if (part.empty()) return text.size();
  // Charged for the worst case before searching, since rfind is not linear.
  for (size_t position = text.size() - part.size() + 1; position-- > 0;) {
    budget.charge(2);
    if (text[position] != part[0]) continue;
    budget.charge(part.size());
    if (text.substr(position, part.size()) == part) return position;
  }
  return std::string_view::npos;
}

int64_t count_of(const Text& text, const Text& part, Budget& budget) {
  if (part.bytes.empty()) return static_cast<int64_t>(text.length()) + 1;
  int64_t count = 0;
  size_t position = 0;
  while ((position = find_bytes(text.bytes, part.bytes, position, budget)) != std::string::npos) {
    ++count;
    position += part.bytes.size();
  }
  return count;
}

TextPtr join(const Text& separator, const std::vector<Value>& items, Budget& budget) {
  TextBuilder out;
  bool first = true;
  for (const Value& item : items) {
    const Text* text = item.text();
    if (text == nullptr) fail("join needs strings, not {}", type_name(item));
    budget.charge(2 * (text->cost() + separator.cost()));
    if (!first) out.append(separator);
    first = false;
    out.append(*text);
  }
  return out.finish();
}

TextPtr concatenate(const Text& a, const Text& b, Budget& budget) {
  budget.charge(2 * (a.cost() + b.cost()));
  TextBuilder out;
  out.append(a);
  out.append(b);
  return out.finish();
}

TextPtr repeat(const Text& text, int64_t times, Budget& budget) {
  TextBuilder out;
  for (int64_t i = 0; i < times && !text.bytes.empty(); ++i) {
    budget.charge(2 * text.cost() + 8);
    out.append(text);
  }
  return as_safe_as(text, out.finish());
}

}  // namespace cuset::text::jinja
