#include "text/tokenizer/added_tokens.h"

#include <algorithm>
#include <unordered_map>

#include "base/error.h"
#include "text/tokenizer/vocabulary.h"
#include "text/unicode/regex.h"
#include "text/unicode/utf8.h"

namespace cuset::text {
namespace {

size_t char_before(std::string_view text, size_t position) {
  do --position;
  while (continues_utf8(text[position]));
  return position;
}

bool is_word_char_at(std::string_view text, size_t position) {
  static const Regex word(fmt::format("[{}]", kWordMembers), "word characters");
  return word.find(text.substr(position, decode_utf8(text, position).size), 0).has_value();
}

AddedToken read_added_token(const base::JsonCursor& section) {
  section.expect_only({"id", "content", "single_word", "lstrip", "rstrip", "normalized", "special"});
  AddedToken token;
  token.id = static_cast<uint32_t>(section.at("id").integer(0, kNoToken - 1));
  token.content = section.at("content").nonempty_string();
  token.single_word = section.at("single_word").boolean();
  token.lstrip = section.at("lstrip").boolean();
  token.rstrip = section.at("rstrip").boolean();
  token.normalized = section.at("normalized").boolean();
  token.special = section.at("special").boolean();
  return token;
}

}  // namespace

bool AddedToken::is_control() const {
  if (special) return true;
  bool all_spaces = true;
  size_t count = 0;
  for (size_t i = 0; i < content.size(); ++count) {
    const Utf8Char c = decode_utf8(content, i);
    all_spaces = all_spaces && is_white_space(c.code);
    i += c.size;
  }
  return count > 1 && !all_spaces;
}

AddedTokenMatcher::AddedTokenMatcher(const std::vector<AddedToken>& tokens, bool normalized,
                                     const Normalizer* normalizer) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].normalized != normalized) continue;
    AlignedText content(tokens[i].content, 0);
    if (normalizer != nullptr) normalizer->apply(content);
    if (!content.view().empty()) patterns_.push_back({std::string(content.view()), i});
  }
  std::stable_sort(patterns_.begin(), patterns_.end(),
                   [](const Pattern& a, const Pattern& b) { return a.content < b.content; });
  const auto same = [](const Pattern& a, const Pattern& b) { return a.content == b.content; };
  patterns_.erase(std::unique(patterns_.begin(), patterns_.end(), same), patterns_.end());
  for (const Pattern& pattern : patterns_) starts_[static_cast<unsigned char>(pattern.content[0])] = true;
}

size_t AddedTokenMatcher::next_start(std::string_view text, size_t position) const {
  if (patterns_.empty()) return text.size();
  while (position < text.size() && !starts_[static_cast<unsigned char>(text[position])]) ++position;
  return position;
}

// Narrows the range of sorted patterns that share a growing prefix with the text.
const AddedTokenMatcher::Pattern* AddedTokenMatcher::longest_at(std::string_view text,
                                                                size_t position) const {
  const Pattern* longest = nullptr;
  auto low = patterns_.begin();
  auto high = patterns_.end();
  for (size_t depth = 0;; ++depth) {
    if (low != high && low->content.size() == depth) longest = &*low++;
    if (low == high || position + depth == text.size()) return longest;
    const auto byte = static_cast<unsigned char>(text[position + depth]);
    const auto at_depth = [&](const Pattern& p) { return static_cast<unsigned char>(p.content[depth]); };
    low = std::partition_point(low, high, [&](const Pattern& p) { return at_depth(p) < byte; });
    high = std::partition_point(low, high, [&](const Pattern& p) { return at_depth(p) == byte; });
  }
}

bool AddedTokenMatcher::touches_word(std::string_view text, size_t begin, size_t end) {
  return (begin > 0 && is_word_char_at(text, char_before(text, begin))) ||
         (end < text.size() && is_word_char_at(text, end));
}

AddedMatch AddedTokenMatcher::with_spaces(std::string_view text, AddedMatch match, const AddedToken& token,
                                          size_t done) {
  while (token.lstrip && match.begin > done) {
    const size_t before = char_before(text, match.begin);
    if (!is_white_space(decode_utf8(text, before).code)) break;
    match.begin = before;
  }
  while (token.rstrip && match.end < text.size()) {
    const Utf8Char c = decode_utf8(text, match.end);
    if (!is_white_space(c.code)) break;
    match.end += c.size;
  }
  return match;
}

std::vector<AddedToken> read_added_tokens(const base::JsonCursor& section, const Vocabulary& vocabulary) {
  std::vector<AddedToken> tokens;
  std::unordered_map<std::string, uint32_t> seen;
  uint32_t next = vocabulary.size();
  for (const base::JsonCursor& entry : section.elements_or_none()) {
    AddedToken token = read_added_token(entry);
    if (!seen.emplace(token.content, token.id).second) {
      entry.refuse(fmt::format("repeats the token {}", base::in_quotes(token.content)));
    }
    const uint32_t known = vocabulary.find(token.content);
    const uint32_t expected = known != kNoToken ? known : next++;
    if (token.id != expected) {
      entry.refuse(
          fmt::format("gives the token {} the id {}, but the vocabulary and the tokens before make it {}",
                      base::in_quotes(token.content), token.id, expected));
    }
    tokens.push_back(std::move(token));
  }
  return tokens;
}

}  // namespace cuset::text
