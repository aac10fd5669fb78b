#include "text/tokenizer/word_cache.h"

#include <cstring>

#include "base/error.h"

namespace cuset::text {

const std::span<const WordToken>* WordCache::find(std::string_view word, uint64_t hash) {
  const size_t mask = slots_.size() - 1;
  for (size_t i = hash & mask; slots_[i].word_size != 0; i = (i + 1) & mask) {
    const Slot& slot = slots_[i];
    if (slot.hash == hash && slot.word_size == word.size() &&
        std::memcmp(words_.data() + slot.word_begin, word.data(), word.size()) == 0) {
      found_ = {tokens_.data() + slot.tokens_begin, slot.token_count};
      return &found_;
    }
  }
  return nullptr;
}

void WordCache::insert(std::string_view word, uint64_t hash, std::span<const WordToken> tokens) {
  CUSET_CHECK(!word.empty() && word.size() <= kLongestWord, "a word of {} bytes", word.size());
  if (used_ * 2 >= slots_.size()) make_room();
  slots_[free_place(hash)] = {hash, static_cast<uint32_t>(words_.size()),
                              static_cast<uint32_t>(tokens_.size()), static_cast<uint16_t>(word.size()),
                              static_cast<uint16_t>(tokens.size())};
  words_ += word;
  tokens_.insert(tokens_.end(), tokens.begin(), tokens.end());
  ++used_;
}

// Doubles the table, or empties it at its limit.
void WordCache::make_room() {
  if (slots_.size() == kMostSlots) {
    *this = WordCache();
    return;
  }
  std::vector<Slot> old(slots_.size() * 2);
  std::swap(old, slots_);
  for (const Slot& slot : old) {
    if (slot.word_size != 0) slots_[free_place(slot.hash)] = slot;
  }
}

size_t WordCache::free_place(uint64_t hash) const {
  const size_t mask = slots_.size() - 1;
  size_t i = hash & mask;
  while (slots_[i].word_size != 0) i = (i + 1) & mask;
  return i;
}

}  // namespace cuset::text
