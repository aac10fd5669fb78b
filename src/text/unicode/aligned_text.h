// Text that may have been normalized, and where each of its characters came from.
//
// Normalization changes lengths, so every byte of the new text carries the byte range of the original
// characters it stands for, as Hugging Face's library does:
//   - a character that was replaced keeps the place of the one it replaces;
//   - composing several into one ("e" + U+0301 -> "é") keeps the place of the first;
//   - an inserted character shares the place of the one before it.
// Text that no normalizer touched borrows the original and stores nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "text/unicode/utf8.h"

namespace cuset::text {

// The bytes [begin, end) of a text that a token stands for; half the size of a ByteSpan, because there are
// many.
struct TokenSpan {
  uint32_t begin = 0;
  uint32_t end = 0;
  bool operator==(const TokenSpan&) const = default;
};

class AlignedText {
 public:
  // Borrows `original`, which begins at byte `base` of the whole text. Valid UTF-8.
  AlignedText(std::string_view original, uint32_t base) : original_(original), base_(base) {}

  std::string_view view() const { return changed_ ? std::string_view(text_) : original_; }

  // The range of the original that the non-empty [begin, end) of view() stands for. A range that ends inside
  // a character counts the whole character.
  TokenSpan source(size_t begin, size_t end) const {
    if (changed_) return {places_[begin].begin, places_[end - 1].end};
    while (begin > 0 && continues_utf8(original_[begin])) --begin;
    while (end < original_.size() && continues_utf8(original_[end])) ++end;
    return {static_cast<uint32_t>(base_ + begin), static_cast<uint32_t>(base_ + end)};
  }

  // One character of new text: its code, and how it changes the old text.
  struct Change {
    char32_t code;
    // 1: inserted; 0: replaces one character; -n: replaces one and removes n more.
    int change;
  };

  // Replaces the whole text: `changes` are applied to its characters from left to right. Characters that no
  // change reaches are dropped.
  void transform(const std::vector<Change>& changes);

  // Replaces the text by `text`, with the place of each of its bytes.
  void assign(std::string text, std::vector<TokenSpan> places);

  // [begin, end) of the text, with its places. Borrows the same original.
  AlignedText slice(size_t begin, size_t end) const;

  // Puts `prefix` in front; it shares the place of the first character. Empty text stays empty.
  void prepend(std::string_view prefix);

 private:
  std::string_view original_;
  uint32_t base_;
  bool changed_ = false;
  std::string text_;               // if changed
  std::vector<TokenSpan> places_;  // one per byte of text_
};

}  // namespace cuset::text
