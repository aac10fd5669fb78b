#include "runtime/memory/arena.h"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cstring>
#include <random>
#include <vector>

namespace cuset_emulator {
namespace {

constexpr int kAccess = PROT_READ | PROT_WRITE;

TEST(Arena, AllocationsAreAlignedAndApart) {
  Arena arena(64 << 20, kAccess);
  uint64_t end = 0;
  for (uint64_t bytes : {1, 511, 512, 513, 100'000, 1 << 20, 3 << 20, 7}) {
    uint64_t address = arena.allocate({bytes});
    ASSERT_NE(address, 0u) << bytes;
    EXPECT_EQ(address % (bytes >= Arena::kChunk ? Arena::kChunk : 512), 0u) << bytes;
    EXPECT_GE(address, end + (end == 0 ? 0 : 1024)) << bytes;
    end = address + bytes;
  }
}

TEST(Arena, FindsTheOwnerOfEveryByteAndOfNoOther) {
  Arena arena(64 << 20, kAccess);
  for (uint64_t bytes : {1, 512, 5000, 2 << 20, (4 << 20) + 1}) {
    uint64_t address = arena.allocate({bytes, MemoryKind::kManaged, bytes + 7});
    for (uint64_t offset : {uint64_t{0}, bytes / 2, bytes - 1}) {
      std::optional<Allocation> found = arena.find(address + offset);
      ASSERT_TRUE(found) << bytes << " at " << offset;
      EXPECT_EQ(found->address, address);
      EXPECT_EQ(found->bytes, bytes);
      EXPECT_EQ(found->number, bytes + 7);
      EXPECT_EQ(found->kind, MemoryKind::kManaged);
      EXPECT_FALSE(found->freed);
    }
    EXPECT_FALSE(arena.find(address + bytes)) << bytes;
    EXPECT_FALSE(arena.find(address - 1)) << bytes;
  }
  EXPECT_FALSE(arena.find(0));
  EXPECT_FALSE(arena.find(arena.base() + arena.bytes()));
}

TEST(Arena, FreedRangesAreRememberedAndFreedOnce) {
  Arena arena(64 << 20, kAccess);
  for (uint64_t bytes : {100, 3 << 20}) {
    uint64_t address = arena.allocate({bytes});
    EXPECT_FALSE(arena.free(address + 1));
    EXPECT_TRUE(arena.free(address));
    EXPECT_FALSE(arena.free(address));
    ASSERT_TRUE(arena.find(address + 50));
    EXPECT_TRUE(arena.find(address + 50)->freed);
    EXPECT_NE(arena.allocate({bytes}), address);
  }
}

TEST(Arena, FreedRangesAreUsedAgainWhenAddressesRunOut) {
  Arena arena(64 << 20, kAccess);
  for (int round = 0; round < 200; ++round) {
    uint64_t address = arena.allocate({20 << 20});
    ASSERT_NE(address, 0u) << round;
    std::memset(reinterpret_cast<void*>(address), 1, 4096);
    ASSERT_TRUE(arena.free(address)) << round;
  }
  EXPECT_EQ(arena.allocate({64 << 20}), 0u);
}

TEST(Arena, SmallRangesAreUsedAgainWithoutEnd) {
  Arena arena(256 << 20, kAccess);
  for (int round = 0; round < 1'000'000; ++round) {
    uint64_t address = arena.allocate({4000});
    ASSERT_NE(address, 0u) << round;
    ASSERT_TRUE(arena.free(address)) << round;
  }
}

// Random allocations and frees against a plain list.
TEST(Arena, AgreesWithAListOfAllocations) {
  Arena arena(96 << 20, kAccess);
  std::mt19937_64 random(1);
  std::vector<Allocation> living;
  for (int step = 0; step < 20'000; ++step) {
    if (living.size() < 40 && random() % 2 == 0) {
      uint64_t bytes = random() % 4 == 0 ? random() % (4 << 20) + 1 : random() % 10'000 + 1;
      uint64_t address = arena.allocate({bytes});
      if (address == 0) continue;
      for (const Allocation& other : living) {
        ASSERT_TRUE(address >= other.address + other.bytes || other.address >= address + bytes);
      }
      living.push_back({address, bytes});
    } else if (!living.empty()) {
      size_t chosen = random() % living.size();
      uint64_t inside = living[chosen].address + random() % living[chosen].bytes;
      ASSERT_TRUE(arena.find(inside));
      ASSERT_EQ(arena.find(inside)->address, living[chosen].address);
      ASSERT_FALSE(arena.find(inside)->freed);
      ASSERT_TRUE(arena.free(living[chosen].address));
      living.erase(living.begin() + static_cast<ptrdiff_t>(chosen));
    }
  }
}

}  // namespace
}  // namespace cuset_emulator
