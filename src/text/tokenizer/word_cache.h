// The words a thread has met, with their tokens. Source code repeats its words, so most never reach the merge
// loop.
//
// One open-addressing table; words and tokens lie one after the other in two arrays. When the table has grown
// to its limit it is emptied and starts again, so memory stays within a few megabytes whatever the text.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace cuset::text {

// A token, and the bytes [begin, end) of its word that it stands for.
struct WordToken {
  uint32_t id;
  uint32_t begin, end;
};

class WordCache {
 public:
  static constexpr size_t kLongestWord = 128;

  // The tokens of `word`, valid until the next insert; null if it has not been met. `hash` is
  // hash_bytes(word).
  const std::span<const WordToken>* find(std::string_view word, uint64_t hash);

  // Remembers a word of at most kLongestWord bytes that find() did not know.
  void insert(std::string_view word, uint64_t hash, std::span<const WordToken> tokens);

 private:
  struct Slot {
    uint64_t hash = 0;
    uint32_t word_begin = 0;
    uint32_t tokens_begin = 0;
    uint16_t word_size = 0;  // 0: empty
    uint16_t token_count = 0;
  };
  static constexpr size_t kFirstSlots = size_t{1} << 12;
  static constexpr size_t kMostSlots = size_t{1} << 17;

  void make_room();
  size_t free_place(uint64_t hash) const;

  std::vector<Slot> slots_ = std::vector<Slot>(kFirstSlots);
  size_t used_ = 0;
  std::string words_;
  std::vector<WordToken> tokens_;
  std::span<const WordToken> found_;
};

}  // namespace cuset::text
