#include "text/unicode/utf8.h"

#include <cstring>

namespace cuset::text {
namespace {

enum class Kind { Valid, Faulty, Incomplete };

struct Sequence {
  Kind kind;
  uint32_t size;
};

// Bytes a lead byte asks for (0: not a lead byte), and the range its second byte must lie in.
struct LeadRule {
  uint32_t size;
  unsigned char low, high;
};

LeadRule rule_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// The sequence at text[position]: a character, a maximal faulty subpart, or a character cut off by the end.
Sequence sequence_at(std::string_view text, size_t position) {
  const LeadRule rule = rule_of(static_cast<unsigned char>(text[position]));
  if (rule.size == 0) return {Kind::Faulty, 1};
  for (uint32_t i = 1; i < rule.size; ++i) {
    if (position + i == text.size()) return {Kind::Incomplete, i};
    const auto byte = static_cast<unsigned char>(text[position + i]);
    const bool fits = i == 1 ? rule.low <= byte && byte <= rule.high : (byte & 0xC0) == 0x80;
    if (!fits) return {Kind::Faulty, i};
  }
  return {Kind::Valid, rule.size};
}

// First position at or after `position` whose byte is not ASCII, eight bytes at a time.
size_t skip_ascii(std::string_view text, size_t position) {
  while (position + 8 <= text.size()) {
    uint64_t word;
    std::memcpy(&word, text.data() + position, 8);
    if ((word & 0x8080808080808080u) != 0) break;
    position += 8;
  }
  while (position < text.size() && static_cast<unsigned char>(text[position]) < 0x80) ++position;
  return position;
}

}  // namespace

void append_utf8(std::string& out, char32_t code) {
  const auto put = [&](uint32_t byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) {
    put(code);
  } else if (code < 0x800) {
    put(0xC0 | code >> 6);
    put(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    put(0xE0 | code >> 12);
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  } else {
    put(0xF0 | code >> 18);
    put(0x80 | (code >> 12 & 0x3F));
    put(0x80 | (code >> 6 & 0x3F));
    put(0x80 | (code & 0x3F));
  }
}

size_t find_invalid_utf8(std::string_view text) {
  size_t position = skip_ascii(text, 0);
  while (position < text.size()) {
    const Sequence sequence = sequence_at(text, position);
    if (sequence.kind != Kind::Valid) return position;
    position = skip_ascii(text, position + sequence.size);
  }
  return std::string_view::npos;
}

void move_complete_utf8(std::string& pending, std::string& out) {
  size_t position = 0;
  while (position < pending.size()) {
    const Sequence sequence = sequence_at(pending, position);
    if (sequence.kind == Kind::Incomplete) break;
    if (sequence.kind == Kind::Valid) {
      out.append(pending, position, sequence.size);
    } else {
      append_utf8(out, U'\uFFFD');
    }
    position += sequence.size;
  }
  pending.erase(0, position);
}

std::string replace_invalid_utf8(std::string_view text) {
  if (find_invalid_utf8(text) == std::string_view::npos) return std::string(text);
  std::string pending(text);
  std::string out;
  move_complete_utf8(pending, out);
  if (!pending.empty()) append_utf8(out, U'\uFFFD');
  return out;
}

bool is_white_space(char32_t code) {
  if (code < 0x80) return code == ' ' || (code >= 9 && code <= 13);
  if (code < 0x1680) return code == 0x85 || code == 0xA0;
  if (code >= 0x2000 && code <= 0x200A) return true;
  return code == 0x1680 || code == 0x2028 || code == 0x2029 || code == 0x202F || code == 0x205F ||
         code == 0x3000;
}

}  // namespace cuset::text
