#include "tasks/bulk_draws.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "base/stats/repeatable_math.h"

namespace cuset::tasks {
namespace {

constexpr size_t kWords = 4096;  // drawn at a time; they stay in the cache
constexpr uint32_t kCells = 4096;
constexpr uint32_t kComputedCells = 32;

// The quantile of the upper tail at i / (2 * kCells), with 0 in the place of infinity at i = 0.
const std::vector<double>& quantiles() {
  static const std::vector<double> table = [] {
    std::vector<double> values(kCells + 1);
    for (uint32_t i = 1; i <= kCells; ++i) values[i] = base::normal_upper_quantile(i / (2.0 * kCells));
    return values;
  }();
  return table;
}

// Calls `put(place, bits)` with 64 random bits for each of `count` places; with one word they are its bits
// and then a one, the middle of what they leave open.
template <typename Put>
void for_each_draw(base::RandomStream& stream, Width width, size_t count, Put put) {
  std::array<uint32_t, kWords> words;
  const size_t words_each = width == Width::kOneWord ? 1 : 2;
  for (size_t done = 0; done < count;) {
    const size_t now = std::min(count - done, kWords / words_each);
    stream.fill(std::span(words).first(now * words_each));
    if (width == Width::kOneWord) {
      for (size_t i = 0; i < now; ++i) put(done + i, uint64_t{words[i]} << 32 | 0x80000000);
    } else {
      for (size_t i = 0; i < now; ++i) put(done + i, words[2 * i] | uint64_t{words[2 * i + 1]} << 32);
    }
    done += now;
  }
}

// The first bit is the side, the others the tail's probability in (0, 1/2).
double normal_of(uint64_t bits, const std::vector<double>& table) {
  const uint64_t below_side = bits & ~(uint64_t{1} << 63);
  const double tail = (static_cast<double>(static_cast<int64_t>(below_side >> 11)) + 0.5) * 0x1p-53;
  const double place = tail * (2.0 * kCells);
  const auto cell = static_cast<uint32_t>(place);
  const double size = cell < kComputedCells ? base::normal_upper_quantile(tail)
                                            : table[cell] + (place - cell) * (table[cell + 1] - table[cell]);
  return (bits >> 63) != 0 ? size : -size;
}

}  // namespace

void fill_uniform(base::RandomStream& stream, Width width, std::span<double> values) {
  if (width == Width::kOneWord) {
    for_each_draw(stream, width, values.size(), [&](size_t place, uint64_t bits) {
      values[place] = static_cast<double>(static_cast<uint32_t>(bits >> 32)) * 0x1p-32;
    });
  } else {
    for_each_draw(stream, width, values.size(), [&](size_t place, uint64_t bits) {
      values[place] = static_cast<double>(static_cast<int64_t>(bits >> 11)) * 0x1p-53;
    });
  }
}

void fill_normal(base::RandomStream& stream, Width width, std::span<double> values) {
  const std::vector<double>& table = quantiles();
  for_each_draw(stream, width, values.size(),
                [&](size_t place, uint64_t bits) { values[place] = normal_of(bits, table); });
}

void fill_bytes(base::RandomStream& stream, std::span<uint8_t> bytes) {
  for (size_t i = 0; i < bytes.size(); i += 4) {
    const uint32_t word = stream.next_u32();
    for (size_t j = 0; j < std::min<size_t>(4, bytes.size() - i); ++j) {
      bytes[i + j] = static_cast<uint8_t>(word >> (8 * j));
    }
  }
}

}  // namespace cuset::tasks
