#include "data/packing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "base/error.h"

namespace cuset::data {
namespace {

base::RandomStream stream_of(uint64_t seed) { return base::RandomStream(seed, "packing"); }

std::vector<size_t> uniform_lengths(size_t count, size_t longest, base::RandomStream stream) {
  std::vector<size_t> lengths(count);
  for (size_t& length : lengths) length = 1 + stream.below(longest);
  return lengths;
}

// Prompt and kernel: log-normal with a median of 900 tokens, cut at the limit.
std::vector<size_t> realistic_lengths(size_t count, size_t limit, base::RandomStream stream) {
  std::vector<size_t> lengths(count);
  for (size_t& length : lengths) {
    length = std::clamp<size_t>(static_cast<size_t>(900 * std::exp(0.6 * stream.normal())), 32, limit);
  }
  return lengths;
}

void expect_valid(const std::vector<Pack>& packs, const std::vector<size_t>& lengths, size_t capacity) {
  std::vector<int> seen(lengths.size(), 0);
  for (const Pack& pack : packs) {
    ASSERT_FALSE(pack.examples.empty());
    ASSERT_EQ(pack.borders.size(), pack.examples.size() + 1);
    ASSERT_EQ(pack.borders.front(), 0u);
    for (size_t i = 0; i < pack.examples.size(); ++i) {
      ASSERT_LT(pack.examples[i], lengths.size());
      ++seen[pack.examples[i]];
      ASSERT_EQ(pack.borders[i + 1] - pack.borders[i], lengths[pack.examples[i]]);
    }
    ASSERT_LE(pack.tokens(), capacity);
  }
  ASSERT_TRUE(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
}

// The fewest packs possible: item by item into every pack with room, or a new one, unless that cannot win any
// more.
void search(std::span<const size_t> lengths, size_t capacity, std::vector<size_t>& rooms, size_t& fewest) {
  if (rooms.size() >= fewest) return;
  if (lengths.empty()) {
    fewest = rooms.size();
    return;
  }
  for (size_t i = 0; i < rooms.size(); ++i) {
    if (rooms[i] < lengths.front()) continue;
    rooms[i] -= lengths.front();
    search(lengths.subspan(1), capacity, rooms, fewest);
    rooms[i] += lengths.front();
  }
  rooms.push_back(capacity - lengths.front());
  search(lengths.subspan(1), capacity, rooms, fewest);
  rooms.pop_back();
}

size_t fewest_packs(std::span<const size_t> lengths, size_t capacity) {
  std::vector<size_t> rooms;
  size_t fewest = lengths.size() + 1;
  search(lengths, capacity, rooms, fewest);
  return fewest;
}

// Best fit decreasing as the textbook has it, in quadratic time: the rooms left, sorted.
std::vector<size_t> textbook_rooms(std::vector<size_t> lengths, size_t capacity) {
  std::sort(lengths.rbegin(), lengths.rend());
  std::vector<size_t> rooms;
  for (const size_t length : lengths) {
    size_t* best = nullptr;
    for (size_t& room : rooms) {
      if (room >= length && (best == nullptr || room < *best)) best = &room;
    }
    if (best == nullptr) best = &rooms.emplace_back(capacity);
    *best -= length;
  }
  std::sort(rooms.begin(), rooms.end());
  return rooms;
}

std::vector<size_t> rooms_of(const std::vector<Pack>& packs, size_t capacity) {
  std::vector<size_t> rooms;
  for (const Pack& pack : packs) rooms.push_back(capacity - pack.tokens());
  std::sort(rooms.begin(), rooms.end());
  return rooms;
}

std::vector<std::vector<size_t>> members_of(const std::vector<Pack>& packs) {
  std::vector<std::vector<size_t>> members;
  for (const Pack& pack : packs) members.push_back(pack.examples);
  return members;
}

std::string message_for(const std::vector<size_t>& lengths, size_t capacity) {
  try {
    pack_examples(lengths, capacity, stream_of(1));
  } catch (const base::Error& error) {
    return error.one_line();
  }
  return "no error";
}

TEST(PackExamples, PutsEachIntoTheFullestPackWithRoom) {
  const std::vector<size_t> lengths = {2, 7, 3, 6, 1};  // 7+3, 6+2+1
  std::vector<Pack> packs = pack_examples(lengths, 10, stream_of(1));
  std::sort(packs.begin(), packs.end(), [](const Pack& a, const Pack& b) { return a.tokens() > b.tokens(); });
  ASSERT_EQ(packs.size(), 2u);
  EXPECT_EQ(packs[0].examples, (std::vector<size_t>{1, 2}));
  EXPECT_EQ(packs[0].borders, (std::vector<size_t>{0, 7, 10}));
  EXPECT_EQ(packs[1].examples, (std::vector<size_t>{3, 0, 4}));
  EXPECT_EQ(packs[1].borders, (std::vector<size_t>{0, 6, 8, 9}));
}

TEST(PackExamples, EveryIndexOnceAndNoPackOverfull) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    base::RandomStream random = stream_of(seed);
    const size_t capacity = 1 + random.below(300);
    const auto lengths = uniform_lengths(random.below(400), capacity, random.child("lengths"));
    expect_valid(pack_examples(lengths, capacity, random), lengths, capacity);
  }
}

TEST(PackExamples, LeavesTheSameRoomsAsTheTextbook) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    base::RandomStream random = stream_of(seed);
    const size_t capacity = 20 + random.below(300);
    const auto lengths = uniform_lengths(300, 1 + random.below(capacity), random.child("lengths"));
    EXPECT_EQ(rooms_of(pack_examples(lengths, capacity, random), capacity),
              textbook_rooms(lengths, capacity));
  }
}

TEST(PackExamples, StaysNearTheOptimumOfSmallCases) {
  size_t optimal = 0;
  constexpr size_t kCases = 400;
  for (uint64_t seed = 0; seed < kCases; ++seed) {
    base::RandomStream random = stream_of(seed);
    const size_t capacity = 10 + random.below(40);
    const auto lengths = uniform_lengths(1 + random.below(10), capacity / 2, random.child("lengths"));
    const size_t packs = pack_examples(lengths, capacity, random).size();
    const size_t fewest = fewest_packs(lengths, capacity);
    EXPECT_GE(packs, fewest);
    EXPECT_LE(9 * packs, 11 * fewest + 9);
    optimal += packs == fewest ? 1 : 0;
  }
  EXPECT_GE(optimal, kCases * 9 / 10);
}

TEST(PackExamples, CanMissTheOptimum) {
  // 6 + 4 + 4 and 5 + 5 + 4 fill two packs of 14; best fit decreasing starts 6 + 5 and needs three.
  const std::vector<size_t> lengths = {6, 5, 5, 4, 4, 4};
  EXPECT_EQ(fewest_packs(lengths, 14), 2u);
  EXPECT_EQ(pack_examples(lengths, 14, stream_of(1)).size(), 3u);
}

TEST(PackExamples, TheSameSeedGivesTheSamePacks) {
  const auto lengths = realistic_lengths(2000, 4096, stream_of(1));
  EXPECT_EQ(members_of(pack_examples(lengths, 4096, stream_of(7))),
            members_of(pack_examples(lengths, 4096, stream_of(7))));
}

TEST(PackExamples, AnotherSeedMovesPacksAndEqualLengths) {
  const std::vector<size_t> equal(64, 5);
  auto one = members_of(pack_examples(equal, 10, stream_of(1)));
  auto other = members_of(pack_examples(equal, 10, stream_of(2)));
  EXPECT_NE(one, other);
  for (auto* packs : {&one, &other}) {
    for (auto& members : *packs) std::sort(members.begin(), members.end());
    std::sort(packs->begin(), packs->end());
  }
  EXPECT_NE(one, other) << "other neighbors, not only another order";

  std::vector<size_t> different(64);
  std::iota(different.begin(), different.end(), 1);
  EXPECT_NE(members_of(pack_examples(different, 64, stream_of(1))),
            members_of(pack_examples(different, 64, stream_of(2))));
}

TEST(PackExamples, WastesLittleOnRealisticLengths) {
  for (const size_t capacity : {size_t{4096}, size_t{8192}, size_t{16384}}) {
    const auto lengths = realistic_lengths(5000, 4096, stream_of(capacity));
    const auto packs = pack_examples(lengths, capacity, stream_of(1));
    expect_valid(packs, lengths, capacity);
    EXPECT_GE(packing_efficiency(packs, capacity), 0.98) << capacity;
  }
}

TEST(PackExamples, MillionExamples) {
  const auto lengths = realistic_lengths(1'000'000, 4096, stream_of(1));
  const auto packs = pack_examples(lengths, 4096, stream_of(2));
  expect_valid(packs, lengths, 4096);
  EXPECT_GE(packing_efficiency(packs, 4096), 0.98);
}

TEST(PackExamples, ExtremesOfCapacity) {
  EXPECT_TRUE(pack_examples({}, 0, stream_of(1)).empty());
  const std::vector<size_t> full(5, 8);
  EXPECT_EQ(pack_examples(full, 8, stream_of(1)).size(), 5u);
  constexpr size_t kAll = std::numeric_limits<size_t>::max();
  EXPECT_EQ(pack_examples(std::vector<size_t>{kAll - 3, 3, 1}, kAll, stream_of(1)).size(), 2u);
}

TEST(PackExamples, RefusesLengthsThatCannotBePacked) {
  EXPECT_EQ(message_for({3, 0}, 8), "example 1 has no tokens (leave empty examples out before packing)");
  EXPECT_EQ(message_for({3, 8, 9}, 8),
            "example 2 has 9 tokens, but a pack holds 8 (drop or cut long examples, or make packs larger)");
}

TEST(PackingEfficiency, CountsTheRoomLeft) {
  EXPECT_EQ(packing_efficiency({}, 8), 1.0);
  EXPECT_EQ(packing_efficiency(pack_examples(std::vector<size_t>{8, 4}, 8, stream_of(1)), 8), 0.75);
}

}  // namespace
}  // namespace cuset::data
