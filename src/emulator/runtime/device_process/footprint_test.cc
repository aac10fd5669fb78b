#include "runtime/device_process/footprint.h"

#include <gtest/gtest.h>

#include <cstring>

namespace cuset_emulator {
namespace {

// Two allocations: 0x1000 to 0x1400, 0x2000 to 0x2100.
std::optional<ReachedMemory> find(uint64_t address) {
  if (address >= 0x1000 && address < 0x1400) return ReachedMemory{0x1000, 0x1400};
  if (address >= 0x2000 && address < 0x2100) return ReachedMemory{0x2000, 0x2100};
  return std::nullopt;
}

uint64_t footprint(std::vector<std::vector<uint64_t>> arguments) {
  std::vector<std::span<char>> bytes;
  for (std::vector<uint64_t>& words : arguments)
    bytes.push_back({reinterpret_cast<char*>(words.data()), words.size() * 8});
  return footprint_of(bytes, find);
}

TEST(Footprint, IsWhatPointersReachToTheEndOfTheirAllocations) {
  EXPECT_EQ(footprint({}), 0u);
  EXPECT_EQ(footprint({{7}, {0x3000}}), 0u);
  EXPECT_EQ(footprint({{0x1000}}), 0x400u);
  EXPECT_EQ(footprint({{0x1000}, {0x2000}, {4096 * 100}}), 0x500u);
  EXPECT_EQ(footprint({{0x1300}, {0x20ff}}), 0x101u);
}

TEST(Footprint, CountsAnAllocationOnceFromTheLowestPointer) {
  EXPECT_EQ(footprint({{0x1200}, {0x1100}, {0x1100}}), 0x300u);
}

TEST(Footprint, SeesPointersInStructsButNotInShortArguments) {
  EXPECT_EQ(footprint({{1, 0x1000, 2, 0x2080}}), 0x480u);
  int number = 0x1000;
  EXPECT_EQ(footprint_of({std::span(reinterpret_cast<char*>(&number), sizeof number)}, find), 0u);
  std::vector<char> odd(12);  // a word of 8 bytes, and four more
  const uint64_t pointer = 0x2000;
  std::memcpy(odd.data(), &pointer, 8);
  EXPECT_EQ(footprint_of({odd}, find), 0x100u);
}

TEST(Footprints, AreKeptByKernelAndShape) {
  Footprints footprints;
  const LaunchShape shape{{4, 1, 1}, {256, 1, 1}}, other{{8, 1, 1}, {256, 1, 1}};
  footprints.add("_Z5saxpyifPKfPf", shape, 1000);
  footprints.add("_Z5saxpyifPKfPf", shape, 500);
  footprints.add("_Z5saxpyifPKfPf", other, 8);
  footprints.add("_Z4nonev", shape, 0);
  footprints.add("odd\nname", shape, 1);
  EXPECT_EQ(footprints.text(),
            "1500 2 4,1,1 256,1,1 saxpy\n8 1 8,1,1 256,1,1 saxpy\n1 1 4,1,1 256,1,1 odd?name\n");
}

}  // namespace
}  // namespace cuset_emulator
