#include "runtime/launch/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>

namespace cuset_emulator {
namespace {

TEST(Schedule, SeedZeroIsTheNaturalOrder) {
  const Schedule schedule(0);
  EXPECT_EQ(schedule.block_at(5, 100, 3), 5u);
  std::vector<uint16_t> order(8);
  schedule.shuffle(order, 1);
  EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
}

TEST(Schedule, EveryBlockRunsOnce) {
  for (const uint64_t count : {1u, 2u, 7u, 64u, 1000u, 4097u}) {
    std::set<uint64_t> blocks;
    for (uint64_t position = 0; position < count; ++position)
      blocks.insert(Schedule(42).block_at(position, count, 9));
    EXPECT_EQ(blocks.size(), count);
    EXPECT_EQ(*blocks.rbegin(), count - 1);
  }
}

TEST(Schedule, LanesArePermutedDifferentlyForEachStreamAndSeed) {
  std::vector<uint16_t> first(32), again(32), other(32);
  Schedule(7).shuffle(first, 1);
  Schedule(7).shuffle(again, 1);
  Schedule(7).shuffle(other, 2);
  EXPECT_EQ(first, again);
  EXPECT_NE(first, other);
  std::vector<uint16_t> sorted = first;
  std::sort(sorted.begin(), sorted.end());
  std::vector<uint16_t> natural(32);
  std::iota(natural.begin(), natural.end(), uint16_t{0});
  EXPECT_EQ(sorted, natural);
}

TEST(Schedule, InterruptsThreadsOnlyInOtherOrdersAndThenSeldom) {
  const auto interruptions = [](uint64_t order, uint32_t first, uint32_t end) {
    int count = 0;
    for (uint64_t thread = 0; thread < 100; ++thread)
      for (uint32_t place = first; place < end; ++place) count += Schedule(order).preempts(thread, place);
    return count;
  };
  EXPECT_EQ(interruptions(0, 0, 100), 0);
  EXPECT_EQ(interruptions(1, 0, 4), 400);
  EXPECT_NEAR(interruptions(7, 0, 8), 400, 100);
  for (const uint64_t order : {1u, 7u}) {
    EXPECT_NEAR(interruptions(order, 8, 256), 100 * 248 / 32, 200);
    EXPECT_EQ(interruptions(order, 256, 1000), 0);
  }
}

TEST(Schedule, EveryOtherOrderRunsOtherStreamsFirst) {
  EXPECT_FALSE(Schedule(0).runs_other_streams_first());
  EXPECT_TRUE(Schedule(1).runs_other_streams_first());
  EXPECT_FALSE(Schedule(2).runs_other_streams_first());
}

}  // namespace
}  // namespace cuset_emulator
