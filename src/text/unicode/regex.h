// A compiled regular expression of a tokenizer file, searched over valid UTF-8 without copying.
//
// PCRE2 with its just-in-time compiler. Work for one search is bounded: a pattern that backtracks without end
// on some text gives an Error, not a hang.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace cuset::text {

// Members of a character class: word characters as Rust's regex library has them (Alphabetic, M, Nd, Pc and
// the two joiners), which pre-tokenizers and added tokens of the reference are built on.
inline constexpr std::string_view kWordMembers =
    "\\p{L}\\p{M}\\p{Nd}\\p{Nl}\\p{Pc}\\x{24b6}-\\x{24e9}\\x{1f130}-\\x{1f149}\\x{1f150}-\\x{1f169}"
    "\\x{1f170}-\\x{1f189}\\x{200c}\\x{200d}";

class Regex {
 public:
  struct Match {
    size_t begin, end;
  };

  // `pattern` in the syntax of tokenizer files (regex_syntax.h). `where` opens the message of any Error.
  Regex(std::string_view pattern, std::string where);

  // `text` taken literally.
  static Regex literal(std::string_view text, std::string where);

  // The first match that begins at or after `start`; none is an ordinary outcome. Safe to call from many
  // threads. `text` must be valid UTF-8 and `start` a character boundary. Throws Error when the search
  // exceeds its bound.
  std::optional<Match> find(std::string_view text, size_t start) const;

  // Calls visit(begin, end) for each match from left to right, without overlaps. Matches of no characters
  // count, except directly behind the match before.
  template <typename Visit>
  void for_each(std::string_view text, Visit&& visit) const;

 private:
  struct Code;
  Regex(std::shared_ptr<const Code> code, std::string where);
  static std::shared_ptr<const Code> compile(const std::string& pattern, uint32_t options,
                                             const std::string& where);
  static size_t next_char(std::string_view text, size_t position);

  std::shared_ptr<const Code> code_;
  std::string where_;
};

template <typename Visit>
void Regex::for_each(std::string_view text, Visit&& visit) const {
  size_t position = 0;
  size_t last_end = std::string_view::npos;
  while (position <= text.size()) {
    const std::optional<Match> match = find(text, position);
    if (!match) return;
    const bool empty = match->begin == match->end;
    if (!empty || match->end != last_end) visit(match->begin, match->end);
    last_end = match->end;
    position = empty ? next_char(text, match->end) : match->end;
  }
}

}  // namespace cuset::text
