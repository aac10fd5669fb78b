#include "base/stats/random.h"

#include <bit>
#include <numeric>
#include <unordered_map>

#include "base/error.h"
#include "base/stats/repeatable_math.h"

namespace cuset::base {
namespace {

// Added to the second key word for deriving children, so that no derivation equals a draw of the same stream.
constexpr uint32_t kByIndex = 0x6E756D62;  // "numb"
constexpr uint32_t kByName = 0x6E616D65;   // "name"

constexpr uint32_t low_word(uint64_t x) { return static_cast<uint32_t>(x); }
constexpr uint32_t high_word(uint64_t x) { return static_cast<uint32_t>(x >> 32); }
constexpr uint64_t joined(uint32_t low, uint32_t high) { return low | uint64_t{high} << 32; }

// FNV-1a, 64 bits: fixed for ever, since saved runs depend on it.
constexpr uint64_t hash_name(std::string_view name) {
  uint64_t hash = 0xCBF29CE484222325;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3;
  return hash;
}

constexpr PhiloxCounter block_at(const RandomStream::State& state, uint64_t number) {
  return philox4x32({low_word(number), high_word(number), low_word(state.line), high_word(state.line)},
                    {low_word(state.key), high_word(state.key)});
}

// Eight consecutive blocks in step; word-wise arrays let the compiler use vector instructions.
constexpr size_t kLanes = 8;

void write_eight_blocks(const RandomStream::State& state, uint64_t first, uint32_t* out) {
  uint32_t a[kLanes], b[kLanes], c[kLanes], d[kLanes];
  for (size_t lane = 0; lane < kLanes; ++lane) {
    a[lane] = low_word(first + lane);
    b[lane] = high_word(first + lane);
    c[lane] = low_word(state.line);
    d[lane] = high_word(state.line);
  }
  uint32_t key_low = low_word(state.key);
  uint32_t key_high = high_word(state.key);
  for (int round = 0; round < 10; ++round) {
    for (size_t lane = 0; lane < kLanes; ++lane) {
      const uint64_t even = uint64_t{0xD2511F53} * a[lane];
      const uint64_t odd = uint64_t{0xCD9E8D57} * c[lane];
      a[lane] = high_word(odd) ^ b[lane] ^ key_low;
      b[lane] = low_word(odd);
      c[lane] = high_word(even) ^ d[lane] ^ key_high;
      d[lane] = low_word(even);
    }
    key_low += 0x9E3779B9;
    key_high += 0xBB67AE85;
  }
  for (size_t lane = 0; lane < kLanes; ++lane) {
    out[4 * lane] = a[lane];
    out[4 * lane + 1] = b[lane];
    out[4 * lane + 2] = c[lane];
    out[4 * lane + 3] = d[lane];
  }
}

}  // namespace

RandomStream::RandomStream(uint64_t seed, std::string_view name)
    : RandomStream(RandomStream(State{.key = seed}).child(name)) {}

RandomStream::RandomStream(uint64_t seed, uint64_t id)
    : RandomStream(RandomStream(State{.key = seed}).child(id)) {}

RandomStream RandomStream::child(std::string_view name) const { return derive(kByName, hash_name(name)); }

RandomStream RandomStream::child(uint64_t index) const { return derive(kByIndex, index); }

RandomStream RandomStream::derive(uint32_t purpose, uint64_t id) const {
  State parent = state_;
  parent.key ^= uint64_t{purpose} << 32;
  const PhiloxCounter block = block_at(parent, id);
  return RandomStream(State{.key = joined(block[0], block[1]), .line = joined(block[2], block[3])});
}

void RandomStream::load_block(uint64_t number) {
  block_ = block_at(state_, number);
  block_number_ = number;
}

void RandomStream::fill(std::span<uint32_t> words) {
  size_t done = 0;
  while (done < words.size() && state_.position % 4 != 0) words[done++] = next_u32();
  for (; words.size() - done >= 4 * kLanes; done += 4 * kLanes) {
    write_eight_blocks(state_, state_.position / 4, words.data() + done);
    state_.position += 4 * kLanes;
  }
  while (done < words.size()) words[done++] = next_u32();
}

double RandomStream::normal() {
  const uint64_t bits = next_u64();
  // 63 bits give the tail's probability, in (0, 1/2], and the last one the side. The half keeps it above 0.
  const double tail = (static_cast<double>(bits >> 1) + 0.5) * 0x1p-64;
  const double size = normal_upper_quantile(tail);
  return (bits & 1) != 0 ? size : -size;
}

uint64_t RandomStream::below(uint64_t n) {
  if (n == 0) throw Error("cannot draw a number below 0");
  if (n > UINT32_MAX) {
    // Draw as many bits as n-1 has until the number fits: at most two tries on average.
    const int spare = std::countl_zero(n - 1);
    uint64_t draw = next_u64() >> spare;
    while (draw >= n) draw = next_u64() >> spare;
    return draw;
  }
  // Lemire, "Fast random integer generation in an interval", 2019: the high half of word * n, with the 2^32 %
  // n words that would favor some results turned away.
  uint64_t product = uint64_t{next_u32()} * n;
  if (low_word(product) < n) {
    const uint32_t surplus = (0U - low_word(n)) % low_word(n);
    while (low_word(product) < surplus) product = uint64_t{next_u32()} * n;
  }
  return product >> 32;
}

std::vector<size_t> RandomStream::permutation(size_t n) {
  std::vector<size_t> order(n);
  std::iota(order.begin(), order.end(), size_t{0});
  shuffle(std::span(order));
  return order;
}

std::vector<size_t> RandomStream::sample_without_replacement(size_t k, size_t n) {
  if (k > n) throw Error("cannot take {} different items of {}", k, n);
  // The first k steps of a shuffle of 0 .. n-1, of which only the moved places are kept.
  std::unordered_map<size_t, size_t> moved;
  std::vector<size_t> sample;
  sample.reserve(k);
  for (size_t i = 0; i < k; ++i) {
    const size_t chosen = i + below(n - i);
    const auto at_chosen = moved.find(chosen);
    sample.push_back(at_chosen == moved.end() ? chosen : at_chosen->second);
    const auto at_i = moved.find(i);
    moved[chosen] = at_i == moved.end() ? i : at_i->second;
  }
  return sample;
}

}  // namespace cuset::base
