// The merges of a BPE model: which two neighboring tokens become which one, and how early (its rank).
// An open-addressing table keyed by the two ids in 64 bits.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace cuset::text {

struct Merge {
  uint32_t rank;
  uint32_t token;  // what the pair becomes
};

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

}  // namespace cuset::text
