#include "text/unicode/regex_syntax.h"

#include <cstring>
#include <optional>

#include "base/error.h"
#include "text/unicode/unicode_additions.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

constexpr std::string_view kSpaces =
    "\\x{9}-\\x{d}\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{"
    "3000}";
constexpr std::string_view kNotSpaces =
    "\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{84}\\x{86}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}"
    "\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{d7ff}"
    "\\x{e000}-\\x{10ffff}";
constexpr std::string_view
    kOtherWordChars =  // circled letters, and the fractions and superscripts of Latin-1
    "\\xb2\\xb3\\xb9\\xbc-\\xbe\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}\\x{1f170}-\\x{"
    "1f189}";
constexpr std::string_view kCategories =
    " L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp ";
constexpr std::string_view kGroupOpenings[] = {"(?:", "(?i:", "(?=", "(?!", "(?<=", "(?<!", "(?>"};
constexpr size_t kLongestPattern = 64 * 1024;

// Members of a character class that mean \p{category}.
std::string category_members(std::string_view category) {
  std::string out = fmt::format("\\p{{{}}}", category);
  for (const UnicodeAddition& addition : kUnicodeAdditions) {
    if (std::string_view(addition.category).substr(0, category.size()) == category) {
      out += fmt::format("\\x{{{:x}}}-\\x{{{:x}}}", addition.first, addition.last);
    }
  }
  return out;
}

std::string word_members() {
  return category_members("L") + category_members("M") + category_members("Nd") + category_members("Nl") +
         category_members("Pc") + std::string(kOtherWordChars);
}

class Translator {
 public:
  Translator(std::string_view pattern, std::string_view where) : pattern_(pattern), where_(where) {}

  std::string run() {
    if (pattern_.size() > kLongestPattern) refuse("a pattern longer than 64 KiB");
    if (take("(?i)")) out_ += "(?i)";
    while (position_ < pattern_.size()) step();
    return std::move(out_);
  }

 private:
  [[noreturn]] void refuse(std::string_view construct) const {
    throw base::Error("{}: the pattern {} uses {}, at its byte {}, which is not supported", where_,
                      base::in_quotes(pattern_), construct, position_);
  }

  bool take(std::string_view word) {
    if (pattern_.substr(position_, word.size()) != word) return false;
    position_ += word.size();
    return true;
  }

  char peek() const { return position_ < pattern_.size() ? pattern_[position_] : '\0'; }

  void step() {
    switch (peek()) {
      case '\\':
        return escape_outside_class();
      case '[':
        return char_class();
      case '(':
        return group();
      case '}':
        if (position_ + 1 < pattern_.size() && pattern_[position_ + 1] == '+') refuse("`}+`");
        break;
      default:
        break;
    }
    out_ += pattern_[position_++];
  }

  void group() {
    if (pattern_.substr(position_, 2) != "(?" && pattern_.substr(position_, 2) != "(*") {
      out_ += "(?:";  // captures are never read
      ++position_;
      return;
    }
    for (const std::string_view opening : kGroupOpenings) {
      if (take(opening)) {
        out_ += opening;
        return;
      }
    }
    refuse(fmt::format("the group `{}`", base::in_quotes(pattern_.substr(position_, 4))));
  }

  // A set of members, and whether the escape means everything else.
  struct Members {
    std::string text;
    bool negated = false;
  };

  // \s \S \w \W \d \D \p{..} \P{..} \p{^..}, or nothing (position unchanged).
  std::optional<Members> take_class_escape() {
    if (take("\\s")) return Members{std::string(kSpaces)};
    if (take("\\S")) return Members{std::string(kNotSpaces)};
    if (take("\\w")) return Members{word_members()};
    if (take("\\W")) return Members{word_members(), true};
    if (take("\\d")) return Members{category_members("Nd")};
    if (take("\\D")) return Members{category_members("Nd"), true};
    const bool upper = pattern_.substr(position_, 2) == "\\P";
    if (!upper && pattern_.substr(position_, 2) != "\\p") return std::nullopt;
    const size_t close = pattern_.find('}', position_);
    if (close == std::string_view::npos || pattern_.substr(position_ + 2, 1) != "{")
      refuse("`\\p` without braces");
    std::string_view name = pattern_.substr(position_ + 3, close - position_ - 3);
    const bool caret = !name.empty() && name[0] == '^';
    if (caret) name.remove_prefix(1);
    if (name.size() > 2 || kCategories.find(fmt::format(" {} ", name)) == std::string_view::npos) {
      refuse(fmt::format("the property `{}`", base::in_quotes(name)));
    }
    position_ = close + 1;
    return Members{category_members(name), upper != caret};
  }

  // \n \t \xHH \x{H..} \uHHHH \- and the like, as one literal character for either context; else refused.
  std::string take_literal_escape() {
    if (position_ + 1 >= pattern_.size()) refuse("a lone `\\`");
    const char letter = pattern_[position_ + 1];
    if (take("\\x{")) return hex_literal(pattern_.find('}', position_), 1);
    if (take("\\x")) return hex_literal(position_ + 2, 0);
    if (take("\\u")) return hex_literal(position_ + 4, 0);
    if (const char* at = std::strchr("n\nr\rt\tf\fv\va\ae\x1b", letter); at != nullptr && letter > ' ') {
      position_ += 2;
      return fmt::format("\\x{{{:x}}}", static_cast<unsigned>(at[1]));
    }
    const bool alphanumeric = (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') ||
                              (letter >= 'A' && letter <= 'Z');
    if (alphanumeric) refuse(fmt::format("`\\{}`", letter));
    const Utf8Char c = decode_utf8(pattern_, position_ + 1);
    position_ += 1 + c.size;
    return fmt::format("\\x{{{:x}}}", static_cast<uint32_t>(c.code));
  }

  // Digits from the position up to `end`, then `closing` more bytes.
  std::string hex_literal(size_t end, size_t closing) {
    if (end > pattern_.size() || end == position_ || end - position_ > 6)
      refuse("a malformed character number");
    const std::string digits(pattern_.substr(position_, end - position_));
    if (digits.find_first_not_of("0123456789abcdefABCDEF") != std::string::npos) {
      refuse("a malformed character number");
    }
    const unsigned long code = std::stoul(digits, nullptr, 16);
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) refuse("a character number outside Unicode");
    position_ = end + closing;
    return "\\x{" + digits + "}";
  }

  void escape_outside_class() {
    if (const auto members = take_class_escape()) {
      out_ += fmt::format("[{}{}]", members->negated ? "^" : "", members->text);
    } else if (take("\\b")) {
      const std::string word = word_members();
      out_ += fmt::format("(?:(?<=[{0}])(?![{0}])|(?<![{0}])(?=[{0}]))", word);
    } else if (take("\\A")) {
      out_ += "\\A";
    } else if (take("\\z")) {
      out_ += "\\z";
    } else {
      out_ += take_literal_escape();
    }
  }

  void char_class() {
    const size_t start = position_;
    out_ += '[';
    ++position_;
    if (take("^")) out_ += '^';
    if (peek() == ']') refuse("`]` as the first member of a class");
    while (peek() != ']') {
      if (position_ >= pattern_.size()) {
        position_ = start;
        refuse("a class that is not closed");
      }
      class_member();
    }
    out_ += ']';
    ++position_;
  }

  void class_member() {
    if (peek() == '[') refuse("a class inside a class");
    if (pattern_.substr(position_, 2) == "&&") refuse("`&&`");
    if (peek() != '\\') {
      out_ += pattern_[position_++];
      return;
    }
    const auto members = take_class_escape();
    if (members && members->negated) refuse("a negated class inside a class");
    out_ += members ? members->text : take_literal_escape();
  }

  std::string_view pattern_;
  std::string_view where_;
  size_t position_ = 0;
  std::string out_;
};

}  // namespace

std::string to_pcre2_pattern(std::string_view pattern, std::string_view where) {
  return Translator(pattern, where).run();
}

}  // namespace cuset::text
