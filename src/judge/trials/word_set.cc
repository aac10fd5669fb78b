#include "judge/trials/word_set.h"

#include <sys/mman.h>

#include <bit>
#include <new>

namespace cuset::judge {
namespace {

constexpr uint64_t kWords = 1ull << 32;

constexpr uint64_t bits_of_level(int level) { return kWords >> (6 * level); }

constexpr uint64_t bytes_of_levels(int levels) {
  uint64_t bytes = 0;
  for (int level = 0; level < levels; ++level) bytes += bits_of_level(level) / 8;
  return bytes;
}

}  // namespace

// Large pages would be filled with zeros for a few words each.
WordSet::WordSet() {
  void* const memory = ::mmap(nullptr, bytes_of_levels(kLevels), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  ::madvise(memory, bytes_of_levels(kLevels), MADV_NOHUGEPAGE);
  memory_ = static_cast<uint64_t*>(memory);
  for (int level = 0; level < kLevels; ++level)
    levels_[static_cast<size_t>(level)] = memory_ + bytes_of_levels(level) / sizeof(uint64_t);
}

WordSet::~WordSet() { ::munmap(memory_, bytes_of_levels(kLevels)); }

bool WordSet::contains(uint32_t word) const { return (levels_[0][word / 64] >> (word % 64) & 1) != 0; }

void WordSet::insert(uint32_t word) {
  uint64_t at = word;
  for (uint64_t* level : levels_) {
    level[at / 64] |= uint64_t{1} << (at % 64);
    if (~level[at / 64] != 0) return;
    at /= 64;
  }
}

uint64_t WordSet::next_absent(uint32_t word) const {
  uint64_t at = word;
  size_t level = 0;
  for (;; ++level, at = at / 64 + 1) {
    if (level == kLevels || at >= bits_of_level(static_cast<int>(level))) return kWords;
    const uint64_t absent = ~levels_[level][at / 64] >> (at % 64);
    if (absent == 0) continue;
    at += static_cast<uint64_t>(std::countr_zero(absent));
    break;
  }
  while (level-- > 0) at = at * 64 + static_cast<uint64_t>(std::countr_zero(~levels_[level][at]));
  return at;
}

}  // namespace cuset::judge
