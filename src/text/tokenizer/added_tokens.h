// Added tokens: strings that are found in the text itself and become one token each, before any splitting.
//
// Two rounds. Tokens with normalized: false are looked for in the raw text; what lies between is normalized,
// and tokens with normalized: true (their content normalized too) are looked for there. In both rounds the
// leftmost match counts, the longest of those that begin at one place. lstrip and rstrip make a match take
// the white space beside it; single_word drops a match that touches a word character.
//
// Some added tokens steer a model (<|im_start|>, <tool_call>), whatever their "special" flag says; others are
// only text that the vocabulary lacks. We call a token *control* unless it is not special and is one
// character or all white space. Text written by users must not become control tokens:
// SpecialTokens::PlainText.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "text/tokenizer/normalizer.h"

namespace cuset::text {

class Vocabulary;

struct AddedToken {
  uint32_t id = 0;
  std::string content;
  bool single_word = false;
  bool lstrip = false;
  bool rstrip = false;
  bool normalized = false;
  bool special = false;

  bool is_control() const;
};

// A found token: the bytes [begin, end) with stripped white space, and its index in the list given.
struct AddedMatch {
  size_t begin, end;
  size_t index;
};

// Finds one round's tokens. Immutable; safe to use from many threads.
class AddedTokenMatcher {
 public:
  AddedTokenMatcher() = default;

  // Those of `tokens` with the given `normalized`, by their content after `normalizer` (may be null).
  AddedTokenMatcher(const std::vector<AddedToken>& tokens, bool normalized, const Normalizer* normalizer);

  bool empty() const { return patterns_.empty(); }

  // Calls visit(AddedMatch) for every match in `text`, left to right; visit returns false to leave it as
  // text.
  template <typename Visit>
  void for_each(std::string_view text, const std::vector<AddedToken>& tokens, Visit&& visit) const;

 private:
  struct Pattern {
    std::string content;
    size_t index;
  };

  size_t next_start(std::string_view text, size_t position) const;
  const Pattern* longest_at(std::string_view text, size_t position) const;
  static bool touches_word(std::string_view text, size_t begin, size_t end);
  static AddedMatch with_spaces(std::string_view text, AddedMatch match, const AddedToken& token,
                                size_t done);

  std::vector<Pattern> patterns_;  // sorted by content
  std::array<bool, 256> starts_{};
};

template <typename Visit>
void AddedTokenMatcher::for_each(std::string_view text, const std::vector<AddedToken>& tokens,
                                 Visit&& visit) const {
  size_t position = 0;
  size_t done = 0;
  while ((position = next_start(text, position)) < text.size()) {
    const Pattern* pattern = longest_at(text, position);
    if (pattern == nullptr) {
      ++position;
      continue;
    }
    const AddedToken& token = tokens[pattern->index];
    const size_t begin = position;
    position += pattern->content.size();
    if (token.single_word && touches_word(text, begin, position)) continue;
    const AddedMatch match = with_spaces(text, {begin, position, pattern->index}, token, done);
    if (visit(match)) position = done = match.end;
  }
}

// The "added_tokens" section. Ids are taken from the file and must be those the reference would give: a token
// of the vocabulary keeps its id, others follow the vocabulary one by one.
std::vector<AddedToken> read_added_tokens(const base::JsonCursor& section, const Vocabulary& vocabulary);

}  // namespace cuset::text
