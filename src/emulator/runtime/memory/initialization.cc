#include "runtime/memory/initialization.h"

#include <sys/mman.h>

#include <algorithm>
#include <atomic>

#include "runtime/memory/arena.h"
#include "runtime/memory/memory.h"
#include "runtime/memory/memory_map.h"

namespace cuset_emulator {
namespace {

struct Shadow {
  std::atomic<std::atomic<uint64_t>*> words{nullptr};
  uint64_t base = 0;
  uint64_t bytes = 0;
};

Shadow shadow;

// Bits [first, first + count) of a word, count from 1 to 64.
uint64_t bits(uint64_t first, uint64_t count) { return (~0ull >> (64 - count)) << first; }

// Calls body(word, mask) for every word of the shadow that belongs to the range; stops when it returns false.
template <class Body>
bool each_word(uint64_t address, uint64_t bytes, Body body) {
  std::atomic<uint64_t>* words = shadow.words.load(std::memory_order_acquire);
  uint64_t at = address - shadow.base;
  if (!words || at >= shadow.bytes) return true;
  uint64_t end = at + std::min(bytes, shadow.bytes - at);
  while (at < end) {
    uint64_t count = std::min(64 - at % 64, end - at);
    if (!body(words[at / 64], bits(at % 64, count))) return false;
    at += count;
  }
  return true;
}

}  // namespace

bool reserve_initialization(uint64_t base, uint64_t bytes) {
  if (shadow.words) return true;
  void* words = reserve_addresses(bytes / 8, PROT_READ | PROT_WRITE);
  shadow.base = base;
  shadow.bytes = bytes;
  shadow.words.store(static_cast<std::atomic<uint64_t>*>(words), std::memory_order_release);
  return words != nullptr;
}

void mark_initialized(uint64_t address, uint64_t bytes) {
  each_word(address, bytes, [](std::atomic<uint64_t>& word, uint64_t mask) {
    if (mask == ~0ull) {
      word.store(mask, std::memory_order_relaxed);
    } else if ((word.load(std::memory_order_relaxed) & mask) != mask) {
      word.fetch_or(mask, std::memory_order_relaxed);
    }
    return true;
  });
}

bool is_initialized(uint64_t address, uint64_t bytes) {
  return each_word(address, bytes, [](std::atomic<uint64_t>& word, uint64_t mask) {
    return (word.load(std::memory_order_relaxed) & mask) == mask;
  });
}

void forget_initialization(uint64_t address, uint64_t bytes) {
  each_word(address, bytes, [](std::atomic<uint64_t>& word, uint64_t mask) {
    // Reading first leaves untouched pages untouched.
    if (word.load(std::memory_order_relaxed) & mask) word.fetch_and(~mask, std::memory_order_relaxed);
    return true;
  });
}

void copy_initialization(uint64_t to, uint64_t from, uint64_t bytes) {
  if (to % 64 == from % 64) {
    uint64_t done = 0;
    while (done < bytes) {
      uint64_t count = std::min(64 - (to + done) % 64, bytes - done);
      if (is_initialized(from + done, count)) {
        mark_initialized(to + done, count);
      } else {
        for (uint64_t i = done; i < done + count; ++i) {
          is_initialized(from + i, 1) ? mark_initialized(to + i, 1) : forget_initialization(to + i, 1);
        }
      }
      done += count;
    }
    return;
  }
  for (uint64_t i = 0; i < bytes; ++i) {
    is_initialized(from + i, 1) ? mark_initialized(to + i, 1) : forget_initialization(to + i, 1);
  }
}

}  // namespace cuset_emulator
