#include "text/unicode/unicode_form.h"

#include <utf8proc.h>

#include <algorithm>
#include <bitset>
#include <memory>

#include "base/error.h"
#include "text/unicode/unicode_additions.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

constexpr char32_t kFirstUnstable =
    0x300;  // below, every character is its own NFC and joins with none before it
constexpr char32_t kPastUnstable = 0x30000;  // from here on again: unified ideographs, tags, private use

struct Decomposed {
  char32_t code;
  int change;
  int combining_class;
};

// Whether the reference leaves the character as it is (unicode_additions.h).
bool is_left_alone(char32_t code) {
  const auto holds = [&](const auto& range) { return range.first <= code && code <= range.last; };
  return std::any_of(std::begin(kUnnormalizedAdditions), std::end(kUnnormalizedAdditions), holds) ||
         std::any_of(std::begin(kUnicodeAdditions), std::end(kUnicodeAdditions), holds);
}

int combining_class(char32_t code) {
  const int value = utf8proc_get_property(static_cast<utf8proc_int32_t>(code))->combining_class;
  return value != 0 && is_left_alone(code) ? 0 : value;
}

// Appends the full decomposition of one character.
void decompose(char32_t code, bool compatible, std::vector<Decomposed>& out) {
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_DECOMPOSE |
                                                      (compatible ? UTF8PROC_COMPAT : 0));
  utf8proc_int32_t parts[32];
  int boundary = 0;
  const auto count =
      utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts, 32, options, &boundary);
  CUSET_CHECK(count >= 1 && count <= 32, "U+{:04X} decomposes into {} characters",
              static_cast<uint32_t>(code), count);
  if ((count > 1 || static_cast<char32_t>(parts[0]) != code) && is_left_alone(code)) {
    out.push_back({code, 0, combining_class(code)});
    return;
  }
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto part = static_cast<char32_t>(parts[i]);
    out.push_back({part, i == 0 ? 0 : 1, combining_class(part)});
  }
}

// Sorts each run of combining marks by class, keeping the order of equals.
void order_marks(std::vector<Decomposed>& chars) {
  const auto is_starter = [](const Decomposed& c) { return c.combining_class == 0; };
  for (auto run = chars.begin(); run != chars.end();) {
    const auto run_end = std::find_if(run, chars.end(), is_starter);
    std::stable_sort(run, run_end, [](const Decomposed& a, const Decomposed& b) {
      return a.combining_class < b.combining_class;
    });
    run = run_end == chars.end() ? run_end : run_end + 1;
  }
}

// The character that `first` and `second` make together, or 0.
char32_t compose_pair(char32_t first, char32_t second) {
  utf8proc_int32_t pair[2] = {static_cast<utf8proc_int32_t>(first), static_cast<utf8proc_int32_t>(second)};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  if (utf8proc_normalize_utf32(pair, 2, options) != 1) return 0;
  const auto joined = static_cast<char32_t>(pair[0]);
  return is_left_alone(joined) ? 0 : joined;
}

// Joins starters with what follows them. A mark is blocked by one of the same or a higher class in between.
std::vector<AlignedText::Change> compose(const std::vector<Decomposed>& chars) {
  std::vector<AlignedText::Change> out;
  size_t starter = std::string::npos;  // index in `out`
  int last_class = -1;                 // of the character put out last after the starter; -1: none
  for (const Decomposed& c : chars) {
    const bool blocked = last_class >= c.combining_class;
    if (starter != std::string::npos && !blocked) {
      if (const char32_t joined = compose_pair(out[starter].code, c.code)) {
        out[starter] = {joined, out[starter].change + c.change - 1};
        continue;
      }
    }
    if (c.combining_class == 0) {
      starter = out.size();
      last_class = -1;
    } else if (starter != std::string::npos) {
      last_class = c.combining_class;
    }
    out.push_back({c.code, c.change});
  }
  return out;
}

// Characters that NFC never changes and that never join with what stands before them.
class StableInNfc {
 public:
  StableInNfc() {
    std::vector<Decomposed> parts;
    for (char32_t code = kFirstUnstable; code < kPastUnstable; ++code) {
      if (combining_class(code) != 0) unstable_->set(code);
      parts.clear();
      decompose(code, false, parts);
      if (parts.size() == 1 && parts[0].code == code) continue;
      const std::vector<AlignedText::Change> whole = compose(parts);
      if (whole.size() != 1 || whole[0].code != code) unstable_->set(code);
      for (size_t i = 1; i < parts.size(); ++i) unstable_->set(parts[i].code);
    }
  }

  bool contains(char32_t code) const {
    return code < kFirstUnstable || code >= kPastUnstable || !unstable_->test(code);
  }

 private:
  using Set = std::bitset<kPastUnstable>;
  std::unique_ptr<Set> unstable_ = std::make_unique<Set>();
};

bool is_surely_nfc(std::string_view text) {
  static const StableInNfc stable;
  for (size_t i = 0; i < text.size();) {
    const Utf8Char c = decode_utf8(text, i);
    if (!stable.contains(c.code)) return false;
    i += c.size;
  }
  return true;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

void normalize_unicode(AlignedText& text, UnicodeForm form) {
  const std::string_view old = text.view();
  if (is_ascii(old) || (form == UnicodeForm::Nfc && is_surely_nfc(old))) return;
  const bool compatible = form == UnicodeForm::Nfkc || form == UnicodeForm::Nfkd;
  std::vector<Decomposed> chars;
  for (size_t i = 0; i < old.size();) {
    const Utf8Char c = decode_utf8(old, i);
    decompose(c.code, compatible, chars);
    i += c.size;
  }
  order_marks(chars);
  if (form == UnicodeForm::Nfc || form == UnicodeForm::Nfkc) {
    text.transform(compose(chars));
    return;
  }
  std::vector<AlignedText::Change> changes;
  for (const Decomposed& c : chars) changes.push_back({c.code, c.change});
  text.transform(changes);
}

}  // namespace cuset::text
