// Byte-pair encoding: a word becomes its characters' tokens, then the pair of neighbors with the lowest rank
// is merged (the leftmost of equals) until no pair has a merge.
//
// Short words search the lowest rank by looking at all pairs; long ones keep the pairs in a heap, so that a
// word of n characters costs O(n log n) whatever it holds. Words met before come from the cache.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "text/tokenizer/vocabulary.h"
#include "text/tokenizer/word_cache.h"

namespace cuset::text {

struct Merge {
  uint32_t rank;   // the lower, the earlier
  uint32_t token;  // what the pair becomes
};

// Which two neighboring tokens become which one: an open-addressing table keyed by the two ids in 64 bits.
class MergeTable {
 public:
  // Room for `count` merges.
  explicit MergeTable(size_t count = 0)
      : slots_(std::bit_ceil(count * 2 + 2)), shift_(64 - std::bit_width(slots_.size() - 1)) {}

  // A pair that is there already is overwritten. At most `count` different pairs.
  void set(uint32_t left, uint32_t right, Merge merge) {
    Slot& slot = slots_[place_of(key_of(left, right))];
    slot = {key_of(left, right), merge};
  }

  // The merge of the pair, or null.
  const Merge* find(uint32_t left, uint32_t right) const {
    const Slot& slot = slots_[place_of(key_of(left, right))];
    return slot.key == kEmpty ? nullptr : &slot.merge;
  }

 private:
  static constexpr uint64_t kEmpty = UINT64_MAX;  // the pair (kNoToken, kNoToken)
  struct Slot {
    uint64_t key = kEmpty;
    Merge merge{};
  };

  static uint64_t key_of(uint32_t left, uint32_t right) { return uint64_t{left} << 32 | right; }

  // Where the key is, or would be put.
  size_t place_of(uint64_t key) const {
    const size_t mask = slots_.size() - 1;
    size_t i = (key * 0x9E3779B97F4A7C15u) >> shift_;
    while (slots_[i].key != key && slots_[i].key != kEmpty) i = (i + 1) & mask;
    return i;
  }

  std::vector<Slot> slots_;
  int shift_;
};

// Working memory of one thread for one model.
struct BpeScratch {
  struct Symbol {
    WordToken token;
    int32_t previous, next;  // -1: none
  };
  struct Candidate {
    uint32_t rank, position, token;
  };
  std::array<WordCache, 2> caches;  // control tokens allowed, forbidden
  std::vector<Symbol> symbols;
  std::vector<Candidate> heap;
  std::vector<const Merge*> merges;
  std::vector<WordToken> tokens;
};

class BpeModel {
 public:
  struct Options {
    bool byte_level = false;     // words are bytes, and tokens are named in the byte alphabet
    bool ignore_merges = false;  // a whole word that is a token needs no merges
    bool byte_fallback = false;  // a character without a token becomes its bytes' tokens, <0x00> to <0xFF>
    bool fuse_unk = false;       // neighboring unknown characters become one unknown token
    uint32_t unk = kNoToken;     // for characters without a token; kNoToken: they are dropped
  };
  struct NamedMerge {
    uint32_t left, right, token;
  };

  BpeModel() = default;
  // `merges` in order of rank; where a pair appears twice the later rank counts, as in the reference.
  BpeModel(Vocabulary vocabulary, const std::vector<NamedMerge>& merges, Options options);

  const Vocabulary& vocabulary() const { return vocabulary_; }

  // Tokens that plain text must not become: see encode().
  void set_control_tokens(std::vector<bool> is_control, const std::vector<NamedMerge>& merges);

  // The tokens of a non-empty word, valid until the next call with the same scratch. With `forbid_control`, a
  // control token that merging would give is left in its two parts.
  std::span<const WordToken> encode(std::string_view word, bool forbid_control, BpeScratch& scratch) const;

 private:
  struct Parts {
    uint32_t token, left, right;
  };

  void encode_new(std::string_view word, bool forbid_control, BpeScratch& scratch) const;
  uint32_t whole_word(std::string_view word) const;
  void start_from_bytes(std::string_view word, std::vector<WordToken>& tokens) const;
  void start_from_chars(std::string_view word, std::vector<WordToken>& tokens) const;
  bool fall_back_to_bytes(std::string_view word, const WordToken& unknown,
                          std::vector<WordToken>& tokens) const;
  void merge_few(BpeScratch& scratch) const;
  void merge_many(BpeScratch& scratch) const;
  void push_candidate(BpeScratch& scratch, int32_t position) const;
  void join_with_next(BpeScratch& scratch, const BpeScratch::Candidate& candidate) const;
  void split_control(std::vector<WordToken>& tokens) const;
  size_t text_size(uint32_t token) const;

  Vocabulary vocabulary_;
  MergeTable merges_;
  Options options_;
  std::array<uint32_t, 256> byte_tokens_{};  // by byte: of the alphabet, or of <0xHH>
  std::vector<bool> is_control_;             // by id; empty if no token of the vocabulary is one
  std::vector<Parts> control_parts_;         // sorted by token
};

}  // namespace cuset::text
