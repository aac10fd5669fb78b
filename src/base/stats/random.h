// Random streams that give the same numbers on every machine, in any order of use.
//
// The generator is Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a
// block cipher that turns a 128-bit counter under a 64-bit key into four 32-bit words. A stream is a key and
// a 64-bit line; its word number p is word p % 4 of philox(counter = {p / 4, line}, key). So a stream has no
// state but p, any place of it is reached at once, and it can be saved as three integers.
//
// A child is named by a text or an index. Its key and line come from one Philox block of the parent's key and
// line and the name, under a key that its draws do not use; what the parent has drawn plays no part.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace cuset::base {

using PhiloxCounter = std::array<uint32_t, 4>;  // least significant word first
using PhiloxKey = std::array<uint32_t, 2>;

// Ten rounds, as in Random123.
constexpr PhiloxCounter philox4x32(PhiloxCounter counter, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t even = uint64_t{0xD2511F53} * counter[0];
    const uint64_t odd = uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<uint32_t>(odd >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(odd),
               static_cast<uint32_t>(even >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(even)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

class RandomStream {
 public:
  // All there is to a stream; position counts 32-bit words.
  struct State {
    uint64_t key = 0;
    uint64_t line = 0;
    uint64_t position = 0;
    friend bool operator==(const State&, const State&) = default;
  };

  RandomStream(uint64_t seed, std::string_view name);
  RandomStream(uint64_t seed, uint64_t id);
  explicit RandomStream(const State& state) : state_(state) {}

  // The same child whatever this stream has drawn. A name and an index never mean the same child.
  RandomStream child(std::string_view name) const;
  RandomStream child(uint64_t index) const;

  const State& state() const { return state_; }
  uint64_t position() const { return state_.position; }
  void seek(uint64_t position) { state_.position = position; }

  // The next word, or two words with the first as the lower half.
  uint32_t next_u32();
  uint64_t next_u64();

  // Fills `words` as repeated next_u32() would, several times faster.
  void fill(std::span<uint32_t> words);

  // A multiple of 2^-53 in [0, 1); takes two words.
  double uniform() { return static_cast<double>(next_u64() >> 11) * 0x1p-53; }

  // Standard normal by inversion; takes two words, so that draw i of a stream is found by seeking. |value|
  // < 9.3.
  double normal();

  // Each of 0 .. n-1 equally likely, exactly. Takes one word or more (two or more if n > 2^32 - 1). n = 0 is
  // an Error.
  uint64_t below(uint64_t n);

  // Puts `items` into one of their orders, each equally likely (Fisher-Yates).
  template <typename T>
  void shuffle(std::span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[below(i)]);
  }

  // 0 .. n-1 in random order.
  std::vector<size_t> permutation(size_t n);

  // k different numbers of 0 .. n-1 in random order, in O(k) time and memory. k > n is an Error.
  std::vector<size_t> sample_without_replacement(size_t k, size_t n);

 private:
  RandomStream derive(uint32_t purpose, uint64_t id) const;
  void load_block(uint64_t number);

  State state_;
  PhiloxCounter block_{};
  uint64_t block_number_ = UINT64_MAX;  // which block `block_` holds; block numbers stay below 2^62
};

inline uint32_t RandomStream::next_u32() {
  const uint64_t number = state_.position / 4;
  if (number != block_number_) [[unlikely]]
    load_block(number);
  return block_[state_.position++ % 4];
}

inline uint64_t RandomStream::next_u64() {
  const uint64_t low = next_u32();
  return low | uint64_t{next_u32()} << 32;
}

}  // namespace cuset::base
